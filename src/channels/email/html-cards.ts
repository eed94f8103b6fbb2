import type { Card } from './block.ts'
import { buttons, lines, paragraphs } from './html-parts.ts'
import { html, type Markup } from './markup.ts'
import { style } from './style.ts'

/** A single card takes the whole width; several form two columns, or one in a narrow window. */
export function cards(all: Card[]): Markup {
  const [first, ...rest] = all
  if (rest.length === 0) return card(first!, 534)
  return html`<div style="${style.columns}">
<!--[if mso]><table role="presentation" width="536" cellpadding="0" cellspacing="0"><tr><td width="268" valign="top"><![endif]-->
${all.map((one, index) => html`${between(index)}${column(one, index % 2 === 0)}`)}<!--[if mso]></td></tr></table><![endif]-->
</div>\n`
}

/** Outlook for Windows supports columns only in tables; other clients ignore these comments. */
function between(index: number): Markup {
  if (index === 0) return html``
  return index % 2 === 1
    ? html`<!--[if mso]></td><td width="268" valign="top"><![endif]-->\n`
    : html`<!--[if mso]></td></tr><tr><td width="268" valign="top"><![endif]-->\n`
}

function column(one: Card, left: boolean): Markup {
  return html`<div class="column" style="${style.column}"><div class="column-inner" style="${left ? style.columnLeft : style.columnRight}">
${card(one, 258)}</div></div>\n`
}

function card({ image, header, title, body, locked, choices }: Card, width: number): Markup {
  const parts = [
    ...(header ? [html`<p class="quiet" style="${style.cardHeader}">${lines(header)}</p>\n`] : []),
    html`<h2 class="ink" style="${style.cardTitle}">${lines(title)}</h2>\n`,
    ...(body ? [paragraphs(body, style.cardText)] : []),
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
