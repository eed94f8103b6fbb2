import { html, type Markup } from '../../../channels/email/markup.ts'
import { type Locale, type TemplateState, templateStates } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Template } from '../../../contract/templates/template.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import type { Page as Items } from '../../../services/page.ts'
import { actorName } from '../approvals/actor-name.ts'
import { shortDateOf } from '../approvals/format.ts'
import { approvalWords } from '../approvals/words.ts'
import type { Page } from '../page.ts'
import { unitPick } from '../unit-pick.ts'
import { type TemplateWords, templateWords } from './words.ts'

/** What a list is asked for, as its address says it. */
export type TemplateQuery = { state: TemplateState | null; q: string; cursor: string | null }

/** `categories`: their names in the reader's language, by id. */
type Shown = Items<Template> & { categories: ReadonlyMap<string, string> }

/**
 * The templates of one unit, the newest first. `units`: all of the reader, for the switch; `edits`: whether they may begin
 * one.
 */
export function templatesPage(
  locale: Locale,
  { units, unit, edits }: { units: readonly Unit[]; unit: Unit; edits: boolean },
  query: TemplateQuery,
  shown: Shown,
): Page {
  const words = templateWords[locale]
  const { items, nextCursor } = shown
  const filtered = query.state !== null || query.q !== '' || query.cursor !== null
  const newest =
    query.cursor === null
      ? html``
      : html`<a href="${addressOf(unit, { ...query, cursor: null })}">${words.newest}</a> `
  const next =
    nextCursor === null
      ? html``
      : html`<a href="${addressOf(unit, { ...query, cursor: nextCursor })}">${words.next}</a>`
  const begin = edits
    ? html`<form method="post" action="/compose" class="acts"><input type="hidden" name="unit" value="${unit.id}"><button class="mild" name="type" value="template">${words.begin}</button></form>\n`
    : html``
  const body = [
    begin,
    filterForm(locale, { units, unit }, query),
    items.length === 0
      ? html`<p>${filtered ? words.nothingFound : words.none}</p>\n`
      : tableOf(locale, unit, shown),
    html`<p>${newest}${next}</p>\n`,
  ]
  const { lang } = approvalWords[locale]
  return { lang, from: shownName(locale, unit), title: words.title, body, width: 'broad' }
}

/** The address of a list. */
function addressOf({ id }: Pick<Unit, 'id'>, query: TemplateQuery): string {
  const named = Object.entries({ unit: id, ...query }).filter(([, value]) => value)
  return `/templates?${new URLSearchParams(named as [string, string][])}`
}

function filterForm(
  locale: Locale,
  { units, unit }: { units: readonly Unit[]; unit: Unit },
  { state, q }: TemplateQuery,
): Markup {
  const words = templateWords[locale]
  const choices = templateStates.map(
    (one) =>
      html`<option value="${one}"${one === state ? html` selected` : html``}>${words.states[one]}</option>`,
  )
  return html`<form class="filters" role="search">${unitPick(locale, units, unit)}
<label>${words.filter}<select name="state"><option value="">${words.all}</option>${choices}</select></label>
<label>${words.search}<input type="search" name="q" maxlength="${limits.searchLength}" value="${q}"></label>
<button class="mild">${words.show}</button></form>\n`
}

function tableOf(locale: Locale, { timeZone }: Unit, { items, categories }: Shown): Markup {
  const words = templateWords[locale]
  const heads = words.columns.map((column) => html`<th scope="col">${column}</th>`)
  const rows = items.map((item) => {
    const category = categories.get(item.categoryId) ?? item.categoryId
    return html`<tr><th scope="row"><a href="/templates/${item.id}">${item.name}</a></th><td>${templateTag(words, item.state)}</td><td>${category}</td><td>${actorName(locale, item.author)}</td><td class="whole">${shortDateOf(locale, timeZone, item.createdAt)}</td></tr>\n`
  })
  return html`<div class="scrolls" tabindex="0" role="group" aria-label="${words.title}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>\n${rows}</tbody></table></div>\n`
}

/** The state of a version in words. */
export function templateTag({ states }: TemplateWords, state: TemplateState): Markup {
  const tone = { draft: 'look', approved: 'good', rejected: 'stop' }[state]
  return html`<span class="tag ${tone}">${states[state]}</span>`
}
