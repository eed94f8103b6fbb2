import type { Locale } from '../../../contract/enums.ts'
import type { OpenHandoff } from '../../../db/queries/handoff/open.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { OpenInUnit } from '../../../services/handoffs/open.ts'
import { shortDateOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { handoffWords } from './words.ts'

/** The page of the open handoffs of the reader's units. */
export function handoffsPage(locale: Locale, units: OpenInUnit[]): Page {
  const { title, text } = handoffWords[locale].list
  const open = units.some(({ items }) => items.length > 0)
  const body = [open ? html`<p class="quiet">${text}</p>\n` : html``, openList(locale, units)]
  return { lang: kitWords[locale].lang, from: 'Carillon', title, body, width: 'wide' }
}

/** A link to all open handoffs. */
export function handoffsLink(locale: Locale): Markup {
  return html`<p><a href="/handoffs">${handoffWords[locale].list.back}</a></p>\n`
}

/** By unit; the names of units only where the reader has several. */
function openList(locale: Locale, units: OpenInUnit[]): Markup {
  const { none, next, noUnit } = handoffWords[locale].list
  const groups = units.filter(({ items }) => items.length > 0)
  if (groups.length === 0) return html`<p>${units.length === 0 ? noUnit : none}</p>\n`
  return html`${groups.map(({ unit, items, nextCursor }) => {
    const heading = units.length > 1 ? html`<h2>${shownName(locale, unit)}</h2>\n` : html``
    const more = nextCursor
      ? html`<p><a href="/handoffs?unitId=${unit.id}&cursor=${nextCursor}">${next}</a></p>\n`
      : html``
    return html`${heading}<ul class="waiting">\n${items.map((item) => rowOf(locale, unit.timeZone, item))}</ul>\n${more}`
  })}`
}

function rowOf(
  locale: Locale,
  timeZone: string,
  { id, uid, scenario, test, answered, lastMessageAt, excerpt }: OpenHandoff,
): Markup {
  const words = handoffWords[locale]
  const source = scenario === null ? words.assistant : words.scenario(scenario)
  const last = words.last(shortDateOf(locale, timeZone, lastMessageAt.toISOString()))
  const tags = [answered ? words.answered : words.waits, ...(test ? [words.test] : [])]
  const quote = excerpt === null ? html`` : html`<p class="excerpt">${excerpt}</p>`
  const marks = tags.map((tag) => html`<span class="tag">${tag}</span> `)
  const about = html`<span class="quiet">${marks}${source} · <span class="whole">${last}</span></span>`
  return html`<li><a href="/handoffs/${id}#newest">${uid ?? words.nobody}</a>${quote}${about}</li>\n`
}
