import { html, type Markup } from '../../../src/html/markup.ts'
import type { Message } from '../check-message.ts'
import { button } from './actions.ts'
import { flexContents } from './flex.ts'
import { icons } from './icons.ts'
import { picture } from './pictures.ts'

/** A message as the recipient sees it. */
export function bubble(message: Message): Markup {
  switch (message.type) {
    case 'text':
      return html`<p class="bubble">${linked(message.text)}</p>`
    case 'image':
      return picture(message.previewImageUrl, 'picture--photo')
    case 'sticker':
      return html`<p class="sticker">${icons.smile}<span>Sticker ${message.packageId} / ${message.stickerId}</span></p>`
    case 'template':
      return html`<article class="template">
        <p>${message.template.text}</p>
        ${message.template.actions.map((action) => button(action, 'template__button'))}
      </article>`
    case 'flex':
      return flexContents(message.contents)
  }
}

/** The options under the last message of a call, if it has any. */
export function quickReplies(message: Message | undefined): Markup | undefined {
  const items = message?.quickReply?.items
  return items && html`<div class="quick">${items.map(({ action }) => button(action, 'chip'))}</div>`
}

function linked(text: string): Markup[] {
  return text
    .split(/(https?:\/\/[^\s、。,)）]+)/)
    .map((piece, index) =>
      index % 2 === 1
        ? html`<a href="${piece}" target="_blank" rel="noreferrer">${piece}</a>`
        : html`${piece}`,
    )
}
