import type { Locale } from '../../contract/enums.ts'
import type { Action, CanonicalMessage, CardMessage } from '../../contract/messages/content.ts'
import { type LightBlock, type LightSpan, parseLight } from '../../domain/content/light.ts'
import { localise } from '../../domain/content/localise.ts'
import { isWebUrl } from '../../domain/content/web-link.ts'
import type { NodeMessages } from '../../domain/scenario/deliverable-channels.ts'
import { html, type Markup } from '../../html/markup.ts'
import { conversationWords } from './conversation-words.ts'

/** What is said, and what can be pressed: buttons of a form, which name the turn, the message and the option. */
type Drawn = { content: Markup; choices: Markup[] }

/** Draws what a conversation says at once, in the person's language. `turn`: its number; 0: the run has not begun. */
export function drawTurn(locale: Locale, turn: number, says: readonly NodeMessages[]): Drawn {
  const choices: Markup[] = []
  const messages = says.flatMap((saying) => saying.messages)
  const content = messages.map((message, n) => {
    const at = { locale, press: `${turn}.${n}`, choices }
    return messageOf(message, at)
  })
  return { content: html`<div class="said">\n${content}</div>\n`, choices }
}

/** Where a message stands; `choices` takes what can be pressed in it. */
type At = { locale: Locale; press: string; choices: Markup[] }

function messageOf(message: CanonicalMessage, at: At): Markup {
  const { locale, press, choices } = at
  switch (message.kind) {
    case 'text': {
      const text = localise(locale, message.text)
      return message.format === 'light' ? lightOf(text) : plain(text)
    }
    case 'image':
      return picture(message.url, localise(locale, message.alt))
    case 'sticker':
      return plain(
        message.fallbackText ? localise(locale, message.fallbackText) : conversationWords[locale].sticker,
      )
    case 'card':
      return cardOf(message, at)
    case 'carousel':
      return html`${message.cards.map((card, index) => cardOf(card, { ...at, press: `${press}.${index}` }))}`
    case 'buttons':
      return html`${plain(localise(locale, message.text))}${linksOf(message.actions, at)}`
    case 'quickReply':
      choices.push(
        ...message.options.map(({ label }, index) => button(`${press}.${index}`, localise(locale, label))),
      )
      return plain(localise(locale, message.text))
  }
}

function cardOf(
  { header, title, body, format, imageUrl, actions, lockedReason }: CardMessage,
  at: At,
): Markup {
  const { locale } = at
  const text = body && localise(locale, body)
  const drawn = text === undefined ? html`` : format === 'light' ? lightOf(text) : plain(text)
  return html`<div class="offer">
${imageUrl ? picture(imageUrl, '') : html``}${header ? html`<p class="quiet">${localise(locale, header)}</p>\n` : html``}
<p><strong>${localise(locale, title)}</strong></p>
${drawn}${lockedReason ? html`<p class="quiet">${localise(locale, lockedReason)}</p>\n` : html``}${linksOf(actions, at)}</div>\n`
}

/** Links stand where they are; everything else is pressed below. */
function linksOf(actions: readonly Action[], { locale, press, choices }: At): Markup {
  const links = actions.flatMap((action, index) => {
    const label = localise(locale, action.label)
    if (action.kind === 'uri') return isWebUrl(action.url) ? [link(action.url, label)] : []
    // Before a run has begun, there is nothing beside its question that a button could do.
    if (!press.startsWith('0.') || answers(action)) choices.push(button(`${press}.${index}`, label))
    return []
  })
  return html`${links}`
}

function answers(action: Action): boolean {
  return action.kind === 'nextNode' || (action.kind === 'postback' && action.data.o !== undefined)
}

/** An option that is pressed needs no text in the field beside it. */
function button(value: string, label: string): Markup {
  return html`<button class="mild" name="press" value="${value}" formnovalidate>${label}</button>\n`
}

function link(url: string, label: string): Markup {
  return html`<p><a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a></p>\n`
}

function picture(url: string, alt: string): Markup {
  return html`<p><img src="${url}" alt="${alt}" referrerpolicy="no-referrer"></p>\n`
}

function plain(text: string): Markup {
  return html`<p class="question">${text.trim()}</p>\n`
}

function lightOf(text: string): Markup {
  return html`${parseLight(text).map(lightBlock)}`
}

function lightBlock(block: LightBlock): Markup {
  switch (block.kind) {
    case 'heading':
      return html`<p><strong>${spans(block.spans)}</strong></p>\n`
    case 'paragraph':
      return html`<p class="question">${spans(block.spans)}</p>\n`
    case 'list': {
      const items = block.items.map((item) => html`<li>${spans(item.spans)}</li>\n`)
      return block.ordered ? html`<ol>\n${items}</ol>\n` : html`<ul>\n${items}</ul>\n`
    }
  }
}

function spans(all: readonly LightSpan[]): Markup {
  return html`${all.map(({ text, bold, url }) => {
    const words = bold ? html`<strong>${text}</strong>` : html`${text}`
    return url !== undefined && isWebUrl(url)
      ? html`<a href="${url}" target="_blank" rel="noopener noreferrer">${words}</a>`
      : words
  })}`
}
