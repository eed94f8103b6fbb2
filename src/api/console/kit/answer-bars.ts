import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from './format.ts'
import { kitWords } from './words.ts'

const fewAnswers: LocalisedText = {
  'zh-TW': '有五個人回覆後，才會顯示人數。',
  en: 'Numbers are shown once five people have answered.',
}

/**
 * How many people chose each option, as bars with their numbers, from five people on: of fewer, a number says who they are
 * (docs/design/audiences.md). `counts`: people by the id of an option, with those who chose none; `all`: people who were
 * asked, of whom the bars are shares.
 */
export function answerBars(
  locale: Locale,
  options: readonly { id: string; label: LocalisedText }[],
  counts: Readonly<Record<string, number>>,
  all: number,
): Markup {
  const answers = Object.values(counts).reduce((sum, n) => sum + n, 0)
  if (answers < limits.smallestAudience) return html`<p>${localise(locale, fewAnswers)}</p>\n`
  const most = Math.max(all, answers)
  const rows = options.map(({ id, label }) => {
    const n = counts[id] ?? 0
    const { people, withShare } = kitWords[locale]
    const text = withShare(people(numberOf(locale, n)), shareOf(locale, n, most))
    const bar = html`<td><meter max="${most}" value="${n}">${text}</meter></td>`
    return html`<tr><th scope="row">${localise(locale, label)}</th>${bar}<td class="whole">${text}</td></tr>\n`
  })
  return html`<table class="bars"><tbody>\n${rows}</tbody></table>\n`
}

/** Which share of all a number of people is, in percent. */
export function shareOf(locale: Locale, people: number, all: number): string {
  return (all === 0 ? 0 : people / all).toLocaleString(locale, { style: 'percent' })
}
