import type { WaitingApproval } from '../../../contract/approvals.ts'
import type { Locale } from '../../../contract/enums.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { WaitingInUnit } from '../../../services/approvals/list.ts'
import { actorName } from '../facts/actor-name.ts'
import { dateOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { approvalWords } from './words.ts'

/** The page of all that waits for the approver. */
export function approvalsPage(locale: Locale, units: WaitingInUnit[]): Page {
  const words = approvalWords[locale]
  const { title, text } = words.list
  const waiting = units.some(({ items }) => items.length > 0)
  const body = [waiting ? html`<p class="quiet">${text}</p>\n` : html``, waitingList(locale, units)]
  return { lang: kitWords[locale].lang, from: 'Carillon', title, body, width: 'wide' }
}

/** What waits, by unit; the names of units only where there are several. */
export function waitingList(locale: Locale, units: WaitingInUnit[]): Markup {
  const { list } = approvalWords[locale]
  const groups = units.filter(({ items }) => items.length > 0)
  if (groups.length === 0) return html`<p>${list.none}</p>\n`
  return html`${groups.map(({ unit, items, nextCursor }) => {
    const heading = units.length > 1 ? html`<h2>${shownName(locale, unit)}</h2>\n` : html``
    const more = nextCursor
      ? html`<p><a href="/approvals?unitId=${unit.id}&cursor=${nextCursor}">${list.next}</a></p>\n`
      : html``
    return html`${heading}<ul class="waiting">\n${items.map((item) => rowOf(locale, unit.timeZone, item))}</ul>\n${more}`
  })}`
}

function rowOf(locale: Locale, timeZone: string, item: WaitingApproval): Markup {
  const words = approvalWords[locale]
  const from = words.from(actorName(locale, item.author), dateOf(locale, timeZone, item.since))
  return html`<li><a href="${pathOf(item)}">${localise(locale, item.title)}</a><span class="quiet">${words.kinds[item.kind]} · ${from}</span></li>\n`
}

/** The page on which one of them is decided. */
export function pathOf({ kind, id }: Pick<WaitingApproval, 'kind' | 'id'>): string {
  return `/approvals/${kind}/${id}`
}

/** What else waits, beside one of them, where the window is wide enough. */
export function queueBeside(locale: Locale, { id }: { id: string }, queue: WaitingApproval[]): Markup {
  if (queue.length === 0) return html``
  const { list, kinds } = approvalWords[locale]
  const rows = queue.map((item) => {
    const current = item.id === id ? html` aria-current="page"` : html``
    const from = html`<span class="quiet">${kinds[item.kind]} · ${actorName(locale, item.author)}</span>`
    return html`<a href="${pathOf(item)}"${current}>${localise(locale, item.title)}${from}</a>\n`
  })
  return html`<nav class="beside" aria-label="${list.title}">
<h2>${list.title}</h2>
${rows}<a class="quiet" href="/approvals">${kitWords[locale].allWaiting}</a>
</nav>\n`
}
