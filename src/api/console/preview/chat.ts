import type {
  ChatAction,
  ChatMessage,
  FlexBubble,
  FlexButton,
  FlexText,
} from '../../../channels/chat/wire.ts'
import type { Locale } from '../../../contract/enums.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { ownPictureAt } from './own-picture.ts'
import { isStandIn, previewWords } from './words.ts'

/** `reader`: the language of the words around the content; `pictures`: what own pictures' addresses begin with. */
export type Drawing = { reader: Locale; pictures: string | null }

/**
 * A conversation on a phone, drawn from what the compiler hands to the provider: `calls` in the order in which they are
 * sent, each of them a push. The phone is as long as its content, so that nothing of it is hidden.
 */
export function drawChat(drawing: Drawing, calls: readonly ChatMessage[][]): Markup {
  const { nextCall } = previewWords[drawing.reader]
  const pushes = calls.map((messages, index) => {
    const head = index === 0 ? html`` : html`<p class="call">${nextCall(String(index + 1))}</p>\n`
    const drawn = messages.map((message, n) => messageOf(drawing, message, messages[n - 1]))
    return html`${head}${drawn}`
  })
  return html`<div class="phone">\n${pushes}</div>\n`
}

/** A conversation as it goes on: what is said, and what the person answers; null: nothing. */
export function drawConversation(
  drawing: Drawing,
  turns: readonly { messages: readonly ChatMessage[]; answer: string | null }[],
): Markup {
  const drawn = turns.map(({ messages, answer }) => {
    const bubbles = messages.map((message, n) => messageOf(drawing, message, messages[n - 1]))
    return html`${bubbles}${answer === null ? html`` : html`<p class="bubble own">${answer}</p>\n`}`
  })
  return html`<div class="phone">\n${drawn}</div>\n`
}

/** The sender stands above their first message. */
function messageOf(drawing: Drawing, message: ChatMessage, before: ChatMessage | undefined): Markup {
  const { sender, quickReply } = message
  const named = sender && sender.name !== before?.sender?.name
  const name = named ? html`<p class="sender">${sender.name}</p>` : html``
  return html`${name}${bubbleOf(drawing, message)}${quickReply ? choicesOf(drawing, quickReply.items) : html``}\n`
}

function bubbleOf(drawing: Drawing, message: ChatMessage): Markup {
  switch (message.type) {
    case 'text':
      return html`<p class="bubble${isStandIn(message.text) ? ' stand-in' : ''}">${message.text}</p>`
    case 'image':
      return html`<div class="bubble bare">${pictureOf(drawing, message.previewImageUrl)}</div>`
    case 'sticker':
      return html`<p class="bubble stand-in">${previewWords[drawing.reader].sticker(`${message.packageId}/${message.stickerId}`)}</p>`
    case 'template': {
      const { text, actions } = message.template
      return html`<div class="bubble card"><p>${text}</p>${buttonsOf(actions)}</div>`
    }
    case 'flex':
      if (message.contents.type === 'bubble') return cardOf(drawing, message.contents)
      return slideOf(drawing, message.contents.contents)
  }
}

function slideOf(drawing: Drawing, cards: readonly FlexBubble[]): Markup {
  const label = previewWords[drawing.reader].carousel(String(cards.length))
  const drawn = cards.map((card) => cardOf(drawing, card))
  return html`<div class="slide" role="group" tabindex="0" aria-label="${label}">${drawn}</div>`
}

function cardOf(drawing: Drawing, { hero, body, footer }: FlexBubble): Markup {
  const picture = hero ? pictureOf(drawing, hero.url) : html``
  const buttons = footer ? html`<div class="keys">${footer.contents.map(keyOf)}</div>` : html``
  return html`<div class="bubble card">${picture}<div class="words">${body.contents.map(lineOf)}</div>${buttons}</div>`
}

/** Ink and note are told apart by size: the colours of the wire are those of a light phone. */
function lineOf({ text, size, weight }: FlexText): Markup {
  if (weight === 'bold') return html`<p><strong>${text}</strong></p>`
  return size === 'sm' ? html`<p class="note">${text}</p>` : html`<p>${text}</p>`
}

function keyOf({ style, action }: FlexButton): Markup {
  return html`<span class="key${style === 'primary' ? ' first' : ''}">${action.label}</span>`
}

function buttonsOf(actions: readonly ChatAction[]): Markup {
  return html`<div class="keys">${actions.map(({ label }) => html`<span class="key">${label}</span>`)}</div>`
}

/** Choices below the chat: they stand where the next message would, so that they cover nothing. */
function choicesOf({ reader }: Drawing, items: readonly { action: ChatAction }[]): Markup {
  const chips = items.map(({ action }) => html`<li class="chip">${action.label}</li>`)
  return html`<ul class="chips" aria-label="${previewWords[reader].quickReplies}">${chips}</ul>`
}

function pictureOf({ reader, pictures }: Drawing, url: string): Markup {
  const own = ownPictureAt(pictures, url)
  if (own !== null) return html`<img src="${own}" alt="" loading="lazy">`
  return html`<p class="stand-in">${previewWords[reader].picture}<br><span class="note">${url}</span></p>`
}
