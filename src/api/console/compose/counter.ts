import type { Length } from '../../../channels/chat/compile-context.ts'
import type { Locale } from '../../../contract/enums.ts'
import { countGraphemes } from '../../../domain/content/graphemes.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from '../kit/format.ts'
import { composeWords } from './words.ts'

/** From what share of a limit on it is said aloud how much is left. */
const nearly = 0.9

/**
 * How much of a limit a text takes, in the unit of the limit. Shown anew after each pause, by which it is also said aloud, near
 * the limit alone. `id`: of its field.
 */
export function counter(locale: Locale, id: string, text: string, most: Length): Markup {
  const { left, over } = composeWords[locale].length
  const [limit = 0] = Object.values(most)
  const count = 'units' in most ? text.length : countGraphemes(text, limit)
  const [used, all] = [numberOf(locale, count), numberOf(locale, limit)]
  const rest = limit - count
  const words = rest < 0 ? over(numberOf(locale, -rest)) : left(numberOf(locale, rest))
  const spoken = count < nearly * limit ? html`` : html`<span class="spoken">${words}</span>`
  const tone = rest < 0 ? html` class="over"` : html``
  const content = html`<span aria-hidden="true"${tone}>${used} / ${all}</span>${spoken}`
  return html`<span class="count" id="${id}-count" role="status" data-live>${content}</span>`
}
