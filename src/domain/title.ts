import type { LocalisedText } from '../contract/localised-text.ts'
import type { CanonicalMessage, CardMessage } from '../contract/messages/content.ts'

/** Characters (as a reader counts them) that a title takes from a text. */
const titleLength = 60

/**
 * The title of a message in lists, notices and mail subjects: the template's subject, else the first card's title or
 * header, else the beginning of the first text, else the category's name. Blank ones, which a draft may have, are
 * skipped.
 */
export function titleOf(
  messages: CanonicalMessage[],
  subject: LocalisedText | null,
  categoryName: LocalisedText,
): LocalisedText {
  const [card] = messages.flatMap(cardsOf)
  const text = messages.map((message) => ('text' in message ? message.text : undefined)).find(Boolean)
  const candidates = [subject, card?.title, card?.header, text && beginning(text)]
  const said = candidates.find((candidate) => candidate && !isBlank(candidate['zh-TW']))
  return said ? withoutBlank(said) : categoryName
}

function cardsOf(message: CanonicalMessage): CardMessage[] {
  if (message.kind === 'carousel') return message.cards
  return message.kind === 'card' ? [message] : []
}

function beginning({ 'zh-TW': zh, en }: LocalisedText): LocalisedText {
  return { 'zh-TW': clip(zh), ...(en && { en: clip(en) }) }
}

function withoutBlank({ 'zh-TW': zh, en }: LocalisedText): LocalisedText {
  return { 'zh-TW': zh, ...(en && !isBlank(en) && { en }) }
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

const graphemes = new Intl.Segmenter('zh-TW', { granularity: 'grapheme' })

/** On one line; cut between characters, not inside one. */
function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= titleLength) return line
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment)
  return characters.length <= titleLength ? line : `${characters.slice(0, titleLength).join('')}…`
}
