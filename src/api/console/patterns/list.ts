import type { Locale } from '../../../contract/enums.ts'
import type { Pattern } from '../../../contract/patterns/pattern.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Page as Items } from '../../../services/page.ts'
import { numberOf, shortDateOf } from '../kit/format.ts'
import { head, type ListQuery, listPage, listTable } from '../kit/list-frame.ts'
import type { Page } from '../kit/page.ts'
import { changeOf, standingOf } from './acts.ts'
import { patternPageWords } from './words.ts'

/** The registrations, surveys and rsvps of one unit. `begin`: the form by which the reader writes another; empty: they may not. */
export function patternsPage(
  locale: Locale,
  { unit, begin }: { unit: Unit; begin: Markup },
  query: ListQuery,
  { items, nextCursor }: Items<Pattern>,
): Page {
  return listPage(locale, unit, {
    ...{ path: '/patterns', words: patternPageWords[locale], query, nextCursor },
    filters: [],
    begin,
    rows: items.length === 0 ? null : tableOf(locale, unit, items),
  })
}

function tableOf(locale: Locale, { timeZone }: Unit, items: readonly Pattern[]): Markup {
  const words = patternPageWords[locale]
  const rows = items.map(
    (item) =>
      html`<tr>${[
        html`<th scope="row"><a href="/patterns/${item.id}">${localise(locale, item.title)}</a></th>`,
        html`<td>${words.types[item.type]}</td>`,
        html`<td>${patternTag(locale, item)}${rejectionReason(item)}</td>`,
        html`<td class="whole">${placesOf(locale, item)}</td>`,
        html`<td class="whole">${shortDateOf(locale, timeZone, item.deadline)}</td>`,
      ]}</tr>\n`,
  )
  const heads = words.columns.map((column) => head(column))
  return listTable(heads, rows)
}

/** Whether people can answer now, and what has become of a change, in words. */
export function patternTag(locale: Locale, pattern: Pattern): Markup {
  const { standings, statuses, changes } = patternPageWords[locale]
  const standing = standingOf(pattern)
  const change = changeOf(pattern)
  const { status } = pattern
  const first =
    standing === 'active'
      ? tagOf({ open: 'good', full: 'look', closed: 'stop' }[status], statuses[status])
      : tagOf(standing === 'retired' || standing === 'rejected' ? 'stop' : 'look', standings[standing])
  if (change === null || standing === 'retired') return first
  return html`${first} ${tagOf(change === 'rejected' ? 'stop' : 'look', changes[change])}`
}

function tagOf(tone: string, text: string): Markup {
  return html`<span class="tag ${tone}">${text}</span>`
}

/** Why its newest version was rejected; empty: it was not. */
function rejectionReason({ versionState, decision }: Pattern): Markup {
  if (versionState !== 'rejected' || !decision?.reason) return html``
  return html`<span class="quiet">${decision.reason}</span>`
}

/** How many places are left; a survey has none. */
export function placesOf(locale: Locale, { type, capacity, left }: Pattern): string {
  const words = patternPageWords[locale]
  if (type === 'survey') return '—'
  if (capacity === null || left === null) return words.noEnd
  return words.left(numberOf(locale, left), numberOf(locale, capacity))
}
