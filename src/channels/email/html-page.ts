import type { Locale } from '../../contract/enums.ts'
import type { Block, Card } from './block.ts'
import { buttons, chips, footnote, image, light, lines, paragraphs } from './html-parts.ts'
import type { MailDocument } from './mail-document.ts'
import { html, type MailMarkup } from './mail-html.ts'
import { style, styleSheet } from './style.ts'
import { words } from './words.ts'

/** The HTML of a mail: one column of at most 600 px, with the unit's name above and the footer links below. */
export function htmlPage(locale: Locale, mail: MailDocument): MailMarkup {
  const plain = html`border="0" cellpadding="0" cellspacing="0"`
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
<table role="presentation" class="page" ${plain} width="100%" style="${style.sheet}"><tr><td class="outer" align="center" style="${style.outer}">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" ${plain} width="100%" style="${style.column600}">
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

function inHtml(block: Block): MailMarkup {
  switch (block.kind) {
    case 'text':
      return paragraphs(block.text)
    case 'light':
      return light(block.blocks, style.paragraph)
    case 'image':
      return image(block.url, block.alt)
    case 'cards':
      return cards(block.cards)
    case 'choices':
      if (block.style === 'quiet') return footnote(block.text, block.choices)
      return html`${paragraphs(block.text)}${block.style === 'chips' ? chips(block.choices) : buttons(block.choices)}`
  }
}

function gap(): MailMarkup {
  return html`<div style="${style.gap}">&nbsp;</div>\n`
}

function footer({ reason, footerLinks }: MailDocument): MailMarkup {
  const links = footerLinks.map(
    ({ label, to }, index) =>
      html`${index > 0 ? ' · ' : ''}<a class="quiet" href="${to}" style="${style.footerLink}">${label}</a>`,
  )
  return html`${reason}<br>
${links}`
}

/** A single card takes the whole width; several form two columns, or one in a narrow window. */
function cards(all: Card[]): MailMarkup {
  const [first, ...rest] = all
  if (rest.length === 0) return card(first!, 534)
  return html`<div style="${style.columns}">
<!--[if mso]><table role="presentation" width="536" cellpadding="0" cellspacing="0"><tr><td width="268" valign="top"><![endif]-->
${all.map((one, index) => html`${between(index)}${column(one, index % 2 === 0)}`)}<!--[if mso]></td></tr></table><![endif]-->
</div>\n`
}

/** Outlook for Windows supports columns only in tables; other clients ignore these comments. */
function between(index: number): MailMarkup {
  if (index === 0) return html``
  return index % 2 === 1
    ? html`<!--[if mso]></td><td width="268" valign="top"><![endif]-->\n`
    : html`<!--[if mso]></td></tr><tr><td width="268" valign="top"><![endif]-->\n`
}

function column(one: Card, left: boolean): MailMarkup {
  return html`<div class="column" style="${style.column}"><div class="column-inner" style="${left ? style.columnLeft : style.columnRight}">
${card(one, 258)}</div></div>\n`
}

function card(
  { image, header, title, body, light: formatted, locked, choices }: Card,
  width: number,
): MailMarkup {
  const parts = [
    ...(header ? [html`<p class="quiet" style="${style.cardHeader}">${lines(header)}</p>\n`] : []),
    html`<h2 class="ink" style="${style.cardTitle}">${lines(title)}</h2>\n`,
    ...(body ? [paragraphs(body, style.cardText)] : []),
    ...(formatted ? [light(formatted, style.cardText)] : []),
    ...(locked ? [html`<p class="quiet" style="${style.locked}">🔒 ${lines(locked)}</p>\n`] : []),
    ...(choices.length > 0 ? [buttons(choices)] : []),
  ]
  const picture = image
    ? html`<tr><td style="${style.cardPicture}"><img class="quiet" src="${image}" alt="" width="${width}" style="${style.cardImage}"></td></tr>\n`
    : html``
  return html`<table role="presentation" class="card" border="0" cellpadding="0" cellspacing="0" width="100%" style="${style.card}">
${picture}<tr><td style="${style.cardBody}">
${parts}</td></tr>
</table>\n`
}
