import type { Locale, MessageState } from '../../../contract/enums.ts'
import type { MessageListItem } from '../../../contract/messages/list.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Page as Items } from '../../../services/page.ts'
import { actorName } from '../facts/actor-name.ts'
import { numberOf, shortDateOf } from '../kit/format.ts'
import { head, type ListQuery, listPage, listTable } from '../kit/list-frame.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
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

/** What the list is asked for, as its address says it. */
export type MessageQuery = ListQuery & { group: StateGroup | null }

/** The messages of one unit. `begin`: the form by which the reader writes another; empty: they may not. */
export function messagesPage(
  locale: Locale,
  { unit, begin }: { unit: Unit; begin: Markup },
  query: MessageQuery,
  { items, nextCursor }: Items<MessageListItem>,
): Page {
  const words = messageWords[locale]
  return listPage(locale, unit, {
    ...{ path: '/messages', words, query, nextCursor },
    filter: {
      ...{ name: 'state', label: words.filter, all: words.all, chosen: query.group },
      choices: Object.keys(stateGroups).map((one) => [one, words.groups[one as StateGroup]]),
    },
    begin,
    rows: items.length === 0 ? null : tableOf(locale, unit, items),
  })
}

function tableOf(locale: Locale, unit: Unit, items: readonly MessageListItem[]): Markup {
  const { columns } = messageWords[locale]
  const heads = (['title', 'state', 'people', 'when', 'author'] as const).map((column) =>
    head(columns[column], column === 'people'),
  )
  const rows = items.map((item) => rowOf(locale, unit, item))
  return listTable(heads, rows)
}

function rowOf(locale: Locale, { timeZone }: Unit, item: MessageListItem): Markup {
  const words = messageWords[locale]
  const people = item.recipients
    ? kitWords[locale].people(numberOf(locale, item.recipients.total))
    : words.unknown
  const at = item.startsAt ?? item.submittedAt ?? item.createdAt
  return html`<tr>${[
    html`<th scope="row"><a href="/messages/${item.id}">${localise(locale, item.title)}</a></th>`,
    html`<td>${stateTag(words, item)}</td>`,
    html`<td class="number">${people}</td>`,
    html`<td class="whole">${shortDateOf(locale, timeZone, at)}</td>`,
    html`<td>${actorName(locale, item.author)}</td>`,
  ]}</tr>\n`
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
