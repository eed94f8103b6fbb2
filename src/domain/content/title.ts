import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage, CardMessage } from '../../contract/messages/content.ts'
import { clip } from './graphemes.ts'
import { parseLight, plainOf } from './light.ts'

/** Maximum length of a title taken from a text, in grapheme clusters. */
const titleLength = 60

/**
 * The title of a message in lists, notices and mail subjects: the first that is not blank (a draft may have blank
 * texts) of the template's subject, the first card's title or header, the beginning of the first text, and the
 * category's name.
 */
export function titleOf<Name extends LocalisedText | null>(
  messages: CanonicalMessage[],
  subject: LocalisedText | null,
  categoryName: Name,
): LocalisedText | Name {
  const [card] = messages.flatMap(cardsOf)
  const text = messages.map(textOf).find(Boolean)
  const candidates = [subject, card?.title, card?.header, text && beginning(text)]
  const title = candidates.find((candidate) => candidate && !isBlank(candidate['zh-TW']))
  return title ? withoutBlank(title) : categoryName
}

/** Without marks. */
function textOf(message: CanonicalMessage): LocalisedText | undefined {
  if (!('text' in message)) return undefined
  if (message.kind !== 'text' || message.format !== 'light') return message.text
  const { 'zh-TW': zh, en } = message.text
  return { 'zh-TW': plainOf(parseLight(zh)), ...(en && { en: plainOf(parseLight(en)) }) }
}

function cardsOf(message: CanonicalMessage): CardMessage[] {
  if (message.kind === 'carousel') return message.cards
  return message.kind === 'card' ? [message] : []
}

function beginning({ 'zh-TW': zh, en }: LocalisedText): LocalisedText {
  return { 'zh-TW': begun(zh), ...(en && { en: begun(en) }) }
}

function withoutBlank({ 'zh-TW': zh, en }: LocalisedText): LocalisedText {
  return { 'zh-TW': zh, ...(en && !isBlank(en) && { en }) }
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** One line. */
function begun(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), titleLength)
}
