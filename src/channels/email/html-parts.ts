import type { LightBlock, LightItem, LightSpan } from '../../domain/content/light.ts'
import type { Choice } from './block.ts'
import { html, type MailMarkup } from './mail-html.ts'
import { style } from './style.ts'

/** Text with its line breaks; an empty line starts a new paragraph. */
export function paragraphs(text: string, first: string = style.paragraph): MailMarkup {
  const parts = text.trim().split(/\n[ \t]*\n\s*/)
  const rest = `${first}margin-top:14px;`
  return html`${parts.map(
    (part, index) => html`<p class="ink" style="${index === 0 ? first : rest}">${lines(part)}</p>\n`,
  )}`
}

/** Text with its line breaks, without paragraphs. */
export function lines(text: string): MailMarkup {
  const parts = text.trim().split('\n')
  return html`${parts.map((part, index) => (index === 0 ? html`${part}` : html`<br>\n${part}`))}`
}

/** A lightly formatted text; `first`: the style of its paragraphs. */
export function light(blocks: readonly LightBlock[], first: string): MailMarkup {
  return html`${blocks.map((block, index) => lightBlock(block, index === 0 ? first : `${first}margin-top:14px;`))}`
}

function lightBlock(block: LightBlock, styled: string): MailMarkup {
  switch (block.kind) {
    case 'heading':
      return html`<h2 class="ink" style="${styled}${style.lightHeading}">${spans(block.spans)}</h2>\n`
    case 'paragraph':
      return html`<p class="ink" style="${styled}">${spans(block.spans)}</p>\n`
    case 'list': {
      const items = block.items.map((item) => lightItem(item))
      const listStyle = `${styled}${style.lightList}`
      return block.ordered
        ? html`<ol class="ink" style="${listStyle}">${items}</ol>\n`
        : html`<ul class="ink" style="${listStyle}">${items}</ul>\n`
    }
  }
}

/** Some clients show a number of their own where an item brings none. */
function lightItem({ number, spans: content }: LightItem): MailMarkup {
  const value = number === undefined ? html`` : html` value="${number}"`
  return html`<li${value} style="${style.lightItem}">${spans(content)}</li>\n`
}

function spans(all: readonly LightSpan[]): MailMarkup {
  return html`${all.map(({ text, bold, url }) => {
    const words = text.split('\n').map((part, index) => (index === 0 ? html`${part}` : html`<br>\n${part}`))
    const marked = bold ? html`<strong>${words}</strong>` : html`${words}`
    return url === undefined
      ? marked
      : html`<a class="accent" href="${url}" style="${style.lightLink}">${marked}</a>`
  })}`
}

/** As wide as the mail. Clients that do not load it show its alternative text. */
export function image(url: string, alt: string): MailMarkup {
  return html`<img class="quiet" src="${url}" alt="${alt}" width="536" style="${style.image}">\n`
}

/** Links as stacked buttons, the first one primary. Tables, for clients that do not support padding on links. */
export function buttons(choices: Choice[]): MailMarkup {
  const rows = choices.map((choice, index) => (index === 0 ? strongButton(choice) : mildButton(choice)))
  return html`<table role="presentation" class="buttons" border="0" cellpadding="0" cellspacing="0" width="320" style="${style.buttons}">
${rows}</table>\n`
}

function strongButton({ label, to }: Choice): MailMarkup {
  return html`<tr><td class="strong" align="center" style="${style.strong}"><a href="${to}" style="${style.strongLink}">${label}</a></td></tr>\n`
}

function mildButton({ label, to }: Choice): MailMarkup {
  return html`<tr><td style="${style.between}">&nbsp;</td></tr>
<tr><td class="mild" align="center" style="${style.mild}"><a class="accent" href="${to}" style="${style.mildLink}">${label}</a></td></tr>\n`
}

/** Short options, side by side as far as they fit. */
export function chips(choices: Choice[]): MailMarkup {
  const links = choices.map(
    ({ label, to }) => html`<a class="mild accent" href="${to}" style="${style.chip}">${label}</a>\n`,
  )
  return html`<p style="${style.chips}">${links}</p>\n`
}

/** A footnote with a link, set apart from the producer's content. */
export function footnote(text: string, choices: Choice[]): MailMarkup {
  const links = choices.map(
    ({ label, to }) => html` <a class="accent" href="${to}" style="${style.footnoteLink}">${label}</a>`,
  )
  return html`<div class="line" style="${style.footnote}"><p class="quiet" style="${style.footnoteText}">${text}${links}</p></div>\n`
}
