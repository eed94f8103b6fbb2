import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Page } from './page.ts'
import { unitField } from './unit-in.ts'
import { kitWords } from './words.ts'

/** What a list is asked for, as its address says it; a filter that is null is not set. */
export type ListQuery = { q: string; cursor: string | null }

/** A filter: its name in the address, and what can be chosen; `all`: none of it, null: one of them always is. */
type Filter = {
  name: string
  label: string
  all: string | null
  chosen: string | null
  choices: readonly (readonly [value: string, text: string])[]
}

/** `search`: what is searched; `rows`: null where there are none. */
type ListProps = {
  path: string
  words: { title: string; search: string; none: string; nothingFound: string }
  query: ListQuery
  filters: readonly Filter[]
  /** A filter that is shown as links above the list. */
  tabs?: Filter & { all: string }
  nextCursor: string | null
  begin: Markup
  rows: Markup | null
}

const frameWords: Record<Locale, { show: string; newest: string; next: string }> = {
  'zh-TW': { show: '顯示', newest: '回到最新', next: '更早的' },
  en: { show: 'Show', newest: 'Newest', next: 'Earlier ones' },
}

/** A page of a list, the newest first: what can be begun, a search, the rows, and the ways on. */
export function listPage(locale: Locale, unit: Unit, props: ListProps): Page {
  const { words, query, filters, tabs, nextCursor, begin, rows } = props
  const { show, newest, next } = frameWords[locale]
  const set = [
    query.q,
    query.cursor,
    tabs?.chosen,
    ...filters.map(({ all, chosen }) => all !== null && chosen),
  ]
  const narrowed = set.some(Boolean)
  const link = (cursor: string | null, text: string) =>
    html`<a href="${addressOf(unit, props, cursor)}">${text}</a> `
  const kept = tabs?.chosen ? html`<input type="hidden" name="${tabs.name}" value="${tabs.chosen}">` : html``
  const field = html`<input type="search" name="q" maxlength="${limits.searchLength}" value="${query.q}">`
  const body = [
    begin,
    tabs ? tabLinks(unit, props, tabs) : html``,
    html`<form class="filters" role="search" aria-label="${words.title}">${unitField(unit)}${kept}
${filters.map(filterPick)}<label>${words.search}${field}</label>
<button class="mild">${show}</button></form>\n`,
    rows ?? html`<p>${narrowed ? words.nothingFound : words.none}</p>\n`,
    html`<p>${query.cursor === null ? html`` : link(null, newest)}${nextCursor === null ? html`` : link(nextCursor, next)}</p>\n`,
  ]
  const { lang } = kitWords[locale]
  return { lang, from: shownName(locale, unit), title: words.title, body, width: 'broad' }
}

function addressOf({ id }: Unit, { path, query, filters, tabs }: ListProps, cursor: string | null): string {
  const chosen = [...(tabs ? [tabs] : []), ...filters].map((one) => [one.name, one.chosen])
  const params = [['unit', id], ...chosen, ['q', query.q], ['cursor', cursor]]
  const named = params.filter(([, value]) => value)
  return `${path}?${new URLSearchParams(named as [string, string][])}`
}

function tabLinks(unit: Unit, props: ListProps, tabs: Filter & { all: string }): Markup {
  const links = [[null, tabs.all] as const, ...tabs.choices].map(([value, text]) => {
    const here = value === tabs.chosen ? html` aria-current="true"` : html``
    const to = addressOf(unit, { ...props, tabs: { ...tabs, chosen: value } }, null)
    return html`<a href="${to}"${here}>${text}</a>\n`
  })
  return html`<nav class="tabs" aria-label="${tabs.label}">\n${links}</nav>\n`
}

function filterPick({ name, label, all, chosen, choices }: Filter): Markup {
  const options = choices.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : html``}>${text}</option>`,
  )
  const none = all === null ? html`` : html`<option value="">${all}</option>`
  return html`<label>${label}<select name="${name}">${none}${options}</select></label>\n`
}

/** The rows of a list: a table, and cards where the window is narrow (page.css). `heads`: its `th`. */
export function listTable(heads: Markup[], rows: Markup[]): Markup {
  return html`<table class="list">
<thead><tr>${heads}</tr></thead>
<tbody>\n${rows}</tbody></table>\n`
}

/** A table that is scrolled sideways where it is too wide. `heads`: its `th`. */
export function scrollingTable(title: string, heads: Markup[], rows: Markup[]): Markup {
  return html`<div class="scrolls" tabindex="0" role="group" aria-label="${title}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>\n${rows}</tbody></table></div>\n`
}

/** The head of a column; `number`: of one whose figures stand below each other. */
export function head(text: string, number = false): Markup {
  return html`<th scope="col"${number ? html` class="number"` : html``}>${text}</th>`
}
