import type { WaitingApproval } from '../../../contract/approvals.ts'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { WaitingInUnit } from '../../../services/approvals/list.ts'
import { actorName } from '../facts/actor-name.ts'
import { nearTimeOf, numberOf, timeOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { approvalWords } from './words.ts'

/** The page of all that waits for the approver. `text`: the words of a title that were looked for. */
export function approvalsPage(locale: Locale, units: WaitingInUnit[], text: string): Page {
  const { list } = approvalWords[locale]
  const waiting = units.some(({ items }) => items.length > 0)
  const field = html`<input type="search" name="q" maxlength="${limits.searchLength}" value="${text}">`
  const search = html`<form class="filters" role="search" aria-label="${list.title}"><label>${list.search}${field}</label>
<button class="mild">${list.show}</button></form>\n`
  const nothing = text === '' ? list.none : list.nothingFound
  const body = [
    waiting || text !== '' ? search : html``,
    waiting ? html`<p class="quiet">${list.text}</p>\n` : html``,
    waiting ? waitingList(locale, units, text) : html`<p>${nothing}</p>\n`,
  ]
  return { lang: kitWords[locale].lang, from: 'Carillon', title: list.title, body, width: 'wide' }
}

/** What waits, by unit; the names of units only where there are several. */
function waitingList(locale: Locale, units: WaitingInUnit[], text: string): Markup {
  const { list } = approvalWords[locale]
  const groups = units.filter(({ items }) => items.length > 0)
  return html`${groups.map(({ unit, items, next }) => {
    const heading = units.length > 1 ? html`<h2>${shownName(locale, unit)}</h2>\n` : html``
    const to = new URLSearchParams({ unitId: unit.id, skip: String(next), ...(text && { q: text }) })
    const more = next === null ? html`` : html`<p><a href="/approvals?${String(to)}">${list.next}</a></p>\n`
    return html`${heading}${waitingRows(locale, unit, items)}${more}`
  })}`
}

/** Each with whom it reaches and when, who wrote it, and since when it waits. */
export function waitingRows(locale: Locale, unit: Unit, items: readonly WaitingApproval[]): Markup {
  return html`<ul class="waiting">\n${items.map((item) => rowOf(locale, unit.timeZone, item))}</ul>\n`
}

function rowOf(locale: Locale, timeZone: string, item: WaitingApproval): Markup {
  const words = approvalWords[locale]
  const from = words.from(actorName(locale, item.author), timeOf(locale, timeZone, item.since))
  const reach = reachText(locale, timeZone, item)
  const first = reach === null ? html`` : html`<strong class="reach">${reach}</strong>`
  return html`<li><a href="${pathOf(item)}">${localise(locale, item.title)}</a>${first}<span class="quiet">${kindOf(locale, item)} · ${from}</span></li>\n`
}

/** What it is to people: a scenario of a pattern is a registration, a survey or an rsvp. */
export function kindOf(locale: Locale, { kind, pattern }: WaitingApproval): string {
  const { kinds, patterns } = approvalWords[locale]
  return pattern === null ? kinds[kind] : patterns[pattern]
}

/** How many people it reaches and when; null: it is no message. A time that has passed is that of the approval. */
function reachText(locale: Locale, timeZone: string, item: WaitingApproval): string | null {
  if (item.recipients === null) return null
  const { reach, reachAtOnce } = approvalWords[locale]
  const people = kitWords[locale].people(numberOf(locale, item.recipients.total))
  const { startsAt } = item
  return startsAt === null || Date.parse(startsAt) <= Date.now()
    ? reachAtOnce(people)
    : reach(people, nearTimeOf(locale, timeZone, startsAt))
}

/** The page on which one of them is decided. */
export function pathOf({ kind, id }: Pick<WaitingApproval, 'kind' | 'id'>): string {
  return `/approvals/${kind}/${id}`
}

/** What else waits, beside one of them, where the window is wide enough. */
export function queueBeside(locale: Locale, { id }: { id: string }, queue: WaitingApproval[]): Markup {
  if (queue.length === 0) return html``
  const { list } = approvalWords[locale]
  const rows = queue.map((item) => {
    const current = item.id === id ? html` aria-current="page"` : html``
    const from = html`<span class="quiet">${kindOf(locale, item)} · ${actorName(locale, item.author)}</span>`
    return html`<a href="${pathOf(item)}"${current}>${localise(locale, item.title)}${from}</a>\n`
  })
  return html`<nav class="beside" aria-label="${list.title}">
<h2>${list.title}</h2>
${rows}<a class="quiet" href="/approvals">${kitWords[locale].allWaiting}</a>
</nav>\n`
}
