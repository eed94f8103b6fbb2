import type { CanonicalMessage, CardMessage } from '../contract/canonical-message.ts'
import type { LocalisedText } from '../contract/localised-text.ts'

/** Characters (as a reader counts them) that a title takes from a text. */
const titleLength = 60

/**
 * What a message is called in lists, mail subjects and logs (design 3): the template's subject, else the first card's
 * title or header, else the beginning of the first text, else the category's name.
 */
export function titleOf(
  messages: CanonicalMessage[],
  subject: LocalisedText | null,
  categoryName: LocalisedText,
): LocalisedText {
  return subject ?? cardTitle(messages) ?? beginning(messages) ?? categoryName
}

function cardTitle(messages: CanonicalMessage[]): LocalisedText | undefined {
  const cards = messages.flatMap((message): CardMessage[] => {
    if (message.kind === 'carousel') return message.cards
    return message.kind === 'card' ? [message] : []
  })
  return cards[0]?.title ?? cards[0]?.header
}

function beginning(messages: CanonicalMessage[]): LocalisedText | undefined {
  const text = messages.map((message) => ('text' in message ? message.text : undefined)).find(Boolean)
  if (!text) return undefined
  return { 'zh-TW': clip(text['zh-TW']), ...(text.en && { en: clip(text.en) }) }
}

const graphemes = new Intl.Segmenter('zh-TW', { granularity: 'grapheme' })

/** On one line; cut between characters, not inside one. */
function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= titleLength) return line
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment)
  return characters.length <= titleLength ? line : `${characters.slice(0, titleLength).join('')}…`
}
