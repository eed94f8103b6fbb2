import type { Locale } from '../../contract/enums.ts'
import type { Block } from './block.ts'
import { cards } from './html-cards.ts'
import { buttons, chips, image, paragraphs, remark } from './html-parts.ts'
import type { MailDocument } from './mail-document.ts'
import { html, type Markup } from './markup.ts'
import { style, styleSheet } from './style.ts'
import { words } from './words.ts'

/** The HTML of a mail: one column of at most 600 px, with the unit's name above and the footer links below. */
export function htmlPage(locale: Locale, mail: MailDocument): Markup {
  return html`<!DOCTYPE html>
<html lang="${words[locale].lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${mail.subject}</title>
<style>
${styleSheet()}
</style>
</head>
<body class="page" style="${style.page}">
<table role="presentation" class="page" border="0" cellpadding="0" cellspacing="0" width="100%" style="${style.sheet}"><tr><td class="outer" align="center" style="${style.outer}">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%" style="${style.column600}">
<tr><td class="ink" style="${style.unit}">${mail.unit}</td></tr>
<tr><td class="panel" style="${style.panel}">
${mail.blocks.map((block, index) => html`${index > 0 ? gap() : html``}${inHtml(block)}`)}</td></tr>
<tr><td class="quiet" style="${style.footer}">${footer(mail)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>\n`
}

function inHtml(block: Block): Markup {
  switch (block.kind) {
    case 'text':
      return paragraphs(block.text)
    case 'image':
      return image(block.url, block.alt)
    case 'cards':
      return cards(block.cards)
    case 'choices':
      if (block.style === 'quiet') return remark(block.text, block.choices)
      return html`${paragraphs(block.text)}${block.style === 'chips' ? chips(block.choices) : buttons(block.choices)}`
  }
}

function gap(): Markup {
  return html`<div style="${style.gap}">&nbsp;</div>\n`
}

function footer({ reason, footerLinks }: MailDocument): Markup {
  const links = footerLinks.map(
    ({ label, to }, index) =>
      html`${index > 0 ? ' · ' : ''}<a class="quiet" href="${to}" style="${style.footerLink}">${label}</a>`,
  )
  return html`${reason}<br>
${links}`
}
