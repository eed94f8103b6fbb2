import { type Locale, locales } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { Action, CanonicalMessage, CardMessage } from '../../../contract/messages/content.ts'
import { type LightBlock, type LightSpan, parseLight } from '../../../domain/content/light.ts'
import { localise } from '../../../domain/content/localise.ts'
import { mayBeWebUrl } from '../../../domain/content/web-link.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { kitWords } from '../kit/words.ts'
import { ownPictureAt } from '../preview/own-picture.ts'
import { type FactWords, factWords } from './words.ts'

type Words = FactWords['blocks']
type Reader = { locale: Locale; words: Words } & ContentFacts

/**
 * What a content does not hold itself. `names`: of the scenarios and groups that buttons name, by id. `trackedAddress`:
 * where its web links lead first; null: straight to their pages. `subject`: of the mail, where the content has its own.
 */
type ContentFacts = {
  names: ReadonlyMap<string, string>
  trackedAddress: string | null
  subject?: LocalisedText | null
  /** What the addresses of this installation's own pictures begin with: they are shown, others are named. */
  pictures?: string | null
}

/**
 * The blocks of a message as a recipient of each language reads them, those of other languages than the reader's to be
 * unfolded; images and buttons as text.
 */
export function contentSection(
  reader: Locale,
  messages: readonly CanonicalMessage[],
  facts: ContentFacts,
): Markup {
  const { subject = null } = facts
  const { blocks: words } = factWords[reader]
  const { languages } = kitWords[reader]
  const bilingual = hasEnglish([subject, messages])
  const section = (locale: Locale) => {
    const head = subject
      ? html`<p class="block"><span class="tag">${words.subject}</span> ${localise(locale, subject)}</p>\n`
      : html``
    const blocks = messages.map((message) => blockOf(message, { locale, words, ...facts }))
    return html`<div lang="${kitWords[locale].lang}">${head}${blocks}</div>\n`
  }
  if (!bilingual) return html`${section('zh-TW')}<p class="quiet">${words.noEnglish}</p>\n`
  const others = locales.filter((locale) => locale !== reader)
  const folded = others.map(
    (locale) => html`<details><summary>${languages[locale]}</summary>${section(locale)}</details>\n`,
  )
  return html`${section(reader)}${folded}`
}

/** What a turn says, in one language, without what stands around it. The buttons name nothing. */
export function contentBlocks(locale: Locale, messages: readonly CanonicalMessage[]): Markup {
  const reader = { locale, words: factWords[locale].blocks, names: new Map(), trackedAddress: null }
  return html`${messages.map((message) => blockOf(message, reader))}`
}

/** Whether any of the texts in a value has an English version. */
function hasEnglish(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'en' in value || Object.values(value).some(hasEnglish)
}

function blockOf(message: CanonicalMessage, reader: Reader): Markup {
  const { locale, words } = reader
  const text = (of: LocalisedText) => localise(locale, of)
  switch (message.kind) {
    case 'text':
      return message.format === 'light'
        ? html`<div class="block">${lightOf(text(message.text))}</div>\n`
        : html`<p class="block">${text(message.text)}</p>\n`
    case 'image':
      return html`<p class="block"><span class="tag">${words.image}</span> ${text(message.alt)}${pictureOf(message, text(message.alt), reader)}</p>\n`
    case 'sticker': {
      const ids = `${message.packageId}/${message.stickerId}`
      const label = message.fallbackText ? text(message.fallbackText) : ids
      return html`<p class="block"><span class="tag">${words.sticker}</span> ${label}</p>\n`
    }
    case 'card':
      return cardOf(message, reader)
    case 'carousel':
      return html`${message.cards.map((card, index) =>
        cardOf(card, reader, words.card(String(index + 1), String(message.cards.length))),
      )}`
    case 'buttons':
      return html`<div class="block"><p>${text(message.text)}</p>${actionsOf(message.actions, reader)}</div>\n`
    case 'quickReply':
      return html`<div class="block"><p>${text(message.text)}</p><ul class="actions">${message.options.map(
        ({ label }) => html`<li><span class="button">${text(label)}</span></li>`,
      )}</ul></div>\n`
  }
}

function cardOf(card: CardMessage, reader: Reader, number?: string): Markup {
  const { locale, words } = reader
  const line = (of: LocalisedText | undefined) => (of ? html`<p>${localise(locale, of)}</p>` : html``)
  const image = card.imageUrl
    ? html`<p><span class="tag">${words.image}</span> ${pictureOf({ url: card.imageUrl }, '', reader)}</p>`
    : html``
  const locked = card.lockedReason
    ? html`<p><span class="tag">${words.locked}</span> ${localise(locale, card.lockedReason)}</p>`
    : html``
  return html`<div class="block">${[
    number ? html`<p class="quiet">${number}</p>` : html``,
    image,
    line(card.header),
    html`<p><strong>${localise(locale, card.title)}</strong></p>`,
    bodyOf(card, locale),
    locked,
    actionsOf(card.actions, reader),
  ]}</div>\n`
}

function bodyOf({ body, format }: CardMessage, locale: Locale): Markup {
  if (!body) return html``
  const text = localise(locale, body)
  return format === 'light' ? lightOf(text) : html`<p>${text}</p>`
}

/** A lightly formatted text, as mails show it; the address of a link stands behind it. */
function lightOf(text: string): Markup {
  return html`${parseLight(text).map(lightBlockOf)}`
}

function lightBlockOf(block: LightBlock): Markup {
  if (block.kind === 'list') {
    const items = block.items.map(({ number, spans }) =>
      number === undefined
        ? html`<li>${spansOf(spans)}</li>`
        : html`<li value="${number}">${spansOf(spans)}</li>`,
    )
    return block.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
  }
  const words = spansOf(block.spans)
  return block.kind === 'heading' ? html`<p><strong>${words}</strong></p>` : html`<p>${words}</p>`
}

function spansOf(spans: readonly LightSpan[]): Markup {
  return html`${spans.map(({ text, bold, url }) => {
    const words = bold ? html`<strong>${text}</strong>` : html`${text}`
    return url === undefined ? words : html`<u>${words}</u> <span class="quiet">${url}</span>`
  })}`
}

/** A picture of this installation, from this address of it: nobody else learns who looks at it. Of others, the addresses. */
function pictureOf(
  { url, previewUrl }: { url: string; previewUrl?: string | undefined },
  alt: string,
  { pictures }: Reader,
): Markup {
  const own = ownPictureAt(pictures, url)
  if (own !== null) return html`<img class="picture" src="${own}" alt="${alt}" loading="lazy">`
  const preview = previewUrl ? html`<br>${previewUrl}` : html``
  return html`<br><span class="quiet">${url}${preview}</span>`
}

function actionsOf(actions: readonly Action[], reader: Reader): Markup {
  if (actions.length === 0) return html``
  const rows = actions.map(
    (action) =>
      html`<li><span class="button">${localise(reader.locale, action.label)}</span> <span class="quiet">${effectOf(action, reader)}</span></li>`,
  )
  return html`<ul class="actions">${rows}</ul>`
}

/** What a tap does. */
function effectOf(action: Action, { words, names, trackedAddress }: Reader): string {
  switch (action.kind) {
    case 'uri':
      return trackedAddress !== null && mayBeWebUrl(action.url)
        ? words.opens(action.url, trackedAddress)
        : action.url
    case 'mute':
      return words.mutes
    case 'addToGroup':
      return words.joins(names.get(action.groupId))
    case 'jumpScenario':
      return words.jumps(names.get(action.scenarioId))
    default:
      return words.answers
  }
}
