import { html, type Markup } from '../../../channels/email/markup.ts'
import type { Locale, MessageState } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { MessageListItem } from '../../../contract/messages/list.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import type { Page as Items } from '../../../services/page.ts'
import { actorName } from '../approvals/actor-name.ts'
import { numberOf, shortDateOf } from '../approvals/format.ts'
import { approvalWords } from '../approvals/words.ts'
import type { Page } from '../page.ts'
import { unitPick } from '../unit-pick.ts'
import { type MessageWords, messageWords } from './words.ts'

/** The states that people look for together. */
export const stateGroups = {
  waiting: ['submitted'],
  planned: ['approved', 'paused'],
  sending: ['sending'],
  sent: ['sent'],
  failed: ['failed'],
  draft: ['draft'],
  ended: ['rejected', 'cancelled', 'stopped', 'expired'],
} as const satisfies Record<string, readonly MessageState[]>
export type StateGroup = keyof typeof stateGroups

/** What a list is asked for, as its address says it. */
export type ListQuery = { group: StateGroup | null; q: string; cursor: string | null }

/** The messages of one unit, the newest first. `units`: all of the reader, for the switch. */
export function messagesPage(
  locale: Locale,
  units: readonly Unit[],
  unit: Unit,
  query: ListQuery,
  { items, nextCursor }: Items<MessageListItem>,
): Page {
  const words = messageWords[locale]
  const filtered = query.group !== null || query.q !== ''
  const empty = filtered || query.cursor !== null ? words.nothingFound : words.none
  const body = [
    filterForm(locale, units, unit, query),
    items.length === 0 ? html`<p>${empty}</p>\n` : tableOf(locale, unit, items),
    html`<p>${query.cursor === null ? html`` : html`<a href="${addressOf(unit, { ...query, cursor: null })}">${words.newest}</a> `}${nextCursor === null ? html`` : html`<a href="${addressOf(unit, { ...query, cursor: nextCursor })}">${words.next}</a>`}</p>\n`,
  ]
  return {
    lang: approvalWords[locale].lang,
    from: shownName(locale, unit),
    title: words.title,
    body,
    width: 'broad',
  }
}

/** The address of a list. */
function addressOf({ id }: Pick<Unit, 'id'>, { group, q, cursor }: ListQuery): string {
  const named = Object.entries({ unit: id, state: group, q, cursor }).filter(([, value]) => value)
  return `/messages?${new URLSearchParams(named as [string, string][])}`
}

function filterForm(locale: Locale, units: readonly Unit[], unit: Unit, { group, q }: ListQuery): Markup {
  const words = messageWords[locale]
  const choices = Object.keys(stateGroups).map(
    (one) =>
      html`<option value="${one}"${one === group ? html` selected` : html``}>${words.groups[one as StateGroup]}</option>`,
  )
  return html`<form class="filters" role="search">${unitPick(locale, units, unit)}
<label>${words.filter}<select name="state"><option value="">${words.all}</option>${choices}</select></label>
<label>${words.search}<input type="search" name="q" maxlength="${limits.searchLength}" value="${q}"></label>
<button class="mild">${words.show}</button></form>\n`
}

function tableOf(locale: Locale, unit: Unit, items: readonly MessageListItem[]): Markup {
  const { columns } = messageWords[locale]
  const heads = (['title', 'state', 'people', 'when', 'author'] as const).map(
    (column) =>
      html`<th scope="col"${column === 'people' ? html` class="number"` : html``}>${columns[column]}</th>`,
  )
  return html`<div class="scrolls" tabindex="0" role="group" aria-label="${messageWords[locale].title}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>\n${items.map((item) => rowOf(locale, unit, item))}</tbody></table></div>\n`
}

function rowOf(locale: Locale, { timeZone }: Unit, item: MessageListItem): Markup {
  const words = messageWords[locale]
  const people = item.recipients ? numberOf(locale, item.recipients.total) : words.unknown
  const at = item.startsAt ?? item.submittedAt ?? item.createdAt
  return html`<tr><th scope="row"><a href="/messages/${item.id}">${localise(locale, item.title)}</a></th><td>${stateTag(words, item)}</td><td class="number">${people}</td><td class="whole">${shortDateOf(locale, timeZone, at)}</td><td>${actorName(locale, item.author)}</td></tr>\n`
}

/** A state in words, with a mark for those that people must look at. */
export function stateTag(
  words: MessageWords,
  { state, problem }: Pick<MessageListItem, 'state' | 'problem'>,
): Markup {
  const look = problem !== undefined || state === 'failed'
  return html`<span class="tag ${look ? 'stop' : tones[state]}">${look ? '⚠ ' : ''}${words.states[state]}</span>`
}

const tones: Record<MessageState, 'good' | 'look' | 'stop' | 'plain'> = {
  draft: 'plain',
  submitted: 'look',
  rejected: 'stop',
  approved: 'good',
  sending: 'good',
  sent: 'good',
  failed: 'stop',
  paused: 'look',
  cancelled: 'plain',
  stopped: 'plain',
  expired: 'plain',
}
