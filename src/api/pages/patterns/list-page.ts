import { html, type Markup } from '../../../channels/email/markup.ts'
import { type Locale, patternTypes } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Pattern } from '../../../contract/patterns/pattern.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import type { Page as Items } from '../../../services/page.ts'
import { dateOf, numberOf } from '../approvals/format.ts'
import { approvalWords } from '../approvals/words.ts'
import type { Page } from '../page.ts'
import { unitPick } from '../unit-pick.ts'
import { patternPageWords } from './words.ts'

/** What a list is asked for, as its address says it. */
export type PatternQuery = { q: string; cursor: string | null }

/** The registrations, surveys and rsvps of one unit, the newest first. `edits`: whether the reader may begin one. */
export function patternsPage(
  locale: Locale,
  { units, unit, edits }: { units: readonly Unit[]; unit: Unit; edits: boolean },
  query: PatternQuery,
  { items, nextCursor }: Items<Pattern>,
): Page {
  const words = patternPageWords[locale]
  const newest =
    query.cursor === null
      ? html``
      : html`<a href="${addressOf(unit, { ...query, cursor: null })}">${words.newest}</a> `
  const next =
    nextCursor === null
      ? html``
      : html`<a href="${addressOf(unit, { ...query, cursor: nextCursor })}">${words.next}</a>`
  const none = query.q === '' && query.cursor === null ? words.none : words.nothingFound
  const body = [
    edits ? beginForms(locale, unit) : html``,
    html`<form class="filters" role="search">${unitPick(locale, units, unit)}
<label>${words.search}<input type="search" name="q" maxlength="${limits.searchLength}" value="${query.q}"></label>
<button class="mild">${words.show}</button></form>\n`,
    items.length === 0 ? html`<p>${none}</p>\n` : tableOf(locale, unit, items),
    html`<p>${newest}${next}</p>\n`,
  ]
  const { lang } = approvalWords[locale]
  return { lang, from: shownName(locale, unit), title: words.title, body, width: 'broad' }
}

/** The address of a list. */
function addressOf({ id }: Pick<Unit, 'id'>, query: PatternQuery): string {
  const named = Object.entries({ unit: id, ...query }).filter(([, value]) => value)
  return `/patterns?${new URLSearchParams(named as [string, string][])}`
}

function beginForms(locale: Locale, unit: Unit): Markup {
  const { begin } = patternPageWords[locale]
  const buttons = patternTypes.map(
    (type) => html`<button class="mild" name="type" value="${type}">${begin[type]}</button>\n`,
  )
  return html`<form method="post" action="/compose" class="acts"><input type="hidden" name="unit" value="${unit.id}">${buttons}</form>\n`
}

function tableOf(locale: Locale, { timeZone }: Unit, items: readonly Pattern[]): Markup {
  const words = patternPageWords[locale]
  const heads = words.columns.map((column) => html`<th scope="col">${column}</th>`)
  const rows = items.map(
    (item) =>
      html`<tr><th scope="row"><a href="/patterns/${item.id}">${localise(locale, item.title)}</a></th><td>${words.types[item.type]}</td><td>${patternTag(locale, item)}</td><td class="whole">${placesOf(locale, item)}</td><td class="whole">${dateOf(locale, timeZone, item.deadline)}</td></tr>\n`,
  )
  return html`<div class="scrolls" tabindex="0" role="group" aria-label="${words.title}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>\n${rows}</tbody></table></div>\n`
}

/** Whether people can answer now, in words. */
export function patternTag(locale: Locale, { scenarioState, status }: Pattern): Markup {
  const { scenarios, statuses } = patternPageWords[locale]
  if (scenarioState !== 'active')
    return html`<span class="tag ${scenarioState === 'retired' ? 'stop' : 'look'}">${scenarios[scenarioState]}</span>`
  const tone = { open: 'good', full: 'look', closed: 'stop' }[status]
  return html`<span class="tag ${tone}">${statuses[status]}</span>`
}

/** How many places are left; a survey has none. */
export function placesOf(locale: Locale, { type, capacity, left }: Pattern): string {
  const words = patternPageWords[locale]
  if (type === 'survey') return '—'
  if (capacity === null || left === null) return words.noEnd
  return words.left(numberOf(locale, left), numberOf(locale, capacity))
}
