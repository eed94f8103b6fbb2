import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { replaceBetween } from '../content/replace-between.ts'
import { mapTexts } from '../content/texts.ts'

/**
 * Messages as they are measured before their variables are known: each variable is one character, and a text whose parts
 * depend on conditions is not measured. What variables make of a text is checked when it is sent.
 */
export function measurable(messages: CanonicalMessage[]): CanonicalMessage[] {
  return mapTexts(messages, (text, _path, use) => {
    if (use === 'url') return measurableUrl(text)
    return text.includes('{%') ? '…' : withoutVariables(text, '…')
  })
}

function measurableUrl(url: string): string {
  const plain = withoutVariables(
    replaceBetween(url, ['{%', '%}'], () => ''),
    'x',
  )
  return URL.canParse(plain) ? plain : 'https://example.edu/'
}

function withoutVariables(text: string, replacement: string): string {
  return replaceBetween(text, ['{{', '}}'], () => replacement)
}

/**
 * A text for readers who do not know Liquid: each variable as ⟨its name⟩. Whatever else Liquid may do stays as it is
 * written, such as a filter, a text of its own, or a condition, so that nothing that is said is hidden.
 */
export function withNames(text: string): string {
  if (/[⟨⟩]/.test(text)) return text
  return text.replaceAll(/\{\{ *([a-zA-Z_][\w-]*(?:\.[\w-]+)*) *\}\}/g, '⟨$1⟩')
}
