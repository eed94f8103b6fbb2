import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from './format.ts'

const fewAnswers: LocalisedText = {
  'zh-TW': '有五個人回覆後，才會顯示人數。',
  en: 'Numbers are shown once five people have answered.',
}

/**
 * How many people chose each option, as bars with their numbers, from five people on: of fewer, a number says who they are
 * (docs/design/audiences.md). `counts`: people by the id of an option, with those who chose none; `textOf`: a number of
 * people and their share, in words.
 */
export function answerBars(
  locale: Locale,
  options: readonly { id: string; label: LocalisedText }[],
  counts: Readonly<Record<string, number>>,
  textOf: (people: string, share: string) => string,
): Markup {
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  if (total < limits.smallestAudience) return html`<p>${localise(locale, fewAnswers)}</p>\n`
  const rows = options.map(({ id, label }) => {
    const n = counts[id] ?? 0
    const share = (n / total).toLocaleString(locale, { style: 'percent' })
    const text = textOf(numberOf(locale, n), share)
    const bar = html`<td><meter max="${total}" value="${n}">${text}</meter></td>`
    return html`<tr><th scope="row">${localise(locale, label)}</th>${bar}<td class="whole">${text}</td></tr>\n`
  })
  return html`<table class="bars"><tbody>\n${rows}</tbody></table>\n`
}
