import { type Locale, type TemplateState, templateStates } from '../../../contract/enums.ts'
import type { Template } from '../../../contract/templates/template.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Page as Items } from '../../../services/page.ts'
import { actorName } from '../facts/actor-name.ts'
import { shortDateOf } from '../kit/format.ts'
import { head, type ListQuery, listPage, listTable } from '../kit/list-frame.ts'
import type { Page } from '../kit/page.ts'
import { type TemplateWords, templateWords } from './words.ts'

/** What the list is asked for, as its address says it. */
export type TemplateQuery = ListQuery & { state: TemplateState | null }

/** `categories`: their names in the reader's language, by id. */
type TemplateItems = Items<Template> & { categories: ReadonlyMap<string, string> }

/** The templates of one unit. `begin`: the form by which the reader writes another; empty: they may not. */
export function templatesPage(
  locale: Locale,
  { unit, begin }: { unit: Unit; begin: Markup },
  query: TemplateQuery,
  list: TemplateItems,
): Page {
  const words = templateWords[locale]
  const { items, nextCursor } = list
  return listPage(locale, unit, {
    ...{ path: '/templates', words, query, nextCursor },
    filters: [
      {
        ...{ name: 'state', label: words.filter, all: words.all, chosen: query.state },
        choices: templateStates.map((one) => [one, words.states[one]]),
      },
    ],
    begin,
    rows: items.length === 0 ? null : tableOf(locale, unit, list),
  })
}

function tableOf(locale: Locale, { timeZone }: Unit, { items, categories }: TemplateItems): Markup {
  const words = templateWords[locale]
  const rows = items.map((item) => {
    const category = categories.get(item.categoryId) ?? item.categoryId
    return html`<tr>${[
      html`<th scope="row"><a href="/templates/${item.id}">${item.name}</a></th>`,
      html`<td>${templateTag(words, item.state)}</td>`,
      html`<td>${category}</td>`,
      html`<td>${actorName(locale, item.author)}</td>`,
      html`<td class="whole">${shortDateOf(locale, timeZone, item.createdAt)}</td>`,
    ]}</tr>\n`
  })
  const heads = words.columns.map((column) => head(column))
  return listTable(heads, rows)
}

/** The state of a version in words. */
export function templateTag({ states }: TemplateWords, state: TemplateState): Markup {
  const tone = { draft: 'look', approved: 'good', rejected: 'stop' }[state]
  return html`<span class="tag ${tone}">${states[state]}</span>`
}
