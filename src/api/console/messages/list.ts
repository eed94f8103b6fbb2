import { isOneOf, keysOf, type Locale, type MessageState } from '../../../contract/enums.ts'
import type { MessageListItem } from '../../../contract/messages/list.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { ListItem } from '../../../services/compositions/compositions.ts'
import type { Page as Items } from '../../../services/page.ts'
import { composeWords } from '../compose/words.ts'
import { actorName } from '../facts/actor-name.ts'
import { numberOf, timeOf } from '../kit/format.ts'
import { head, type ListQuery, listPage, listTable } from '../kit/list-frame.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { type MessageWords, messageWords } from './words.ts'

/** The states that people look for together: the tabs of the list. */
export const stateGroups = {
  draft: ['draft'],
  waiting: ['submitted'],
  planned: ['approved', 'paused'],
  sent: ['sending', 'sent'],
  failed: ['failed', 'rejected', 'cancelled', 'stopped', 'expired'],
} as const satisfies Record<string, readonly MessageState[]>
export type StateGroup = keyof typeof stateGroups

/** Whose messages are shown. */
export const whoseValues = ['mine', 'all'] as const

/** What the list is asked for, as its address says it. */
export type MessageQuery = ListQuery & { group: StateGroup | null; whose: (typeof whoseValues)[number] }

/** `writing`: what is being written and no message yet. */
type MessageItems = Items<MessageListItem> & { writing: readonly ListItem[] }

/** The messages of one unit. `begin`: the form by which the reader writes another; empty: they may not. */
export function messagesPage(
  locale: Locale,
  { unit, begin }: { unit: Unit; begin: Markup },
  query: MessageQuery,
  { items, writing, nextCursor }: MessageItems,
): Page {
  const words = messageWords[locale]
  const rows = [
    ...writing.map((item) => writtenRow(locale, unit, item)),
    ...items.map((item) => rowOf(locale, unit, item)),
  ]
  return listPage(locale, unit, {
    ...{
      path: '/messages',
      words: { ...words, ...(query.whose === 'mine' && words.ofMine) },
      query,
      nextCursor,
    },
    tabs: {
      ...{ name: 'state', label: words.filter, all: words.all, chosen: query.group },
      choices: keysOf(stateGroups).map((one) => [one, words.groups[one]]),
    },
    filters: [
      {
        ...{ name: 'whose', label: words.whose, all: null, chosen: query.whose },
        choices: whoseValues.map((one) => [one, words.whoseValues[one]]),
      },
    ],
    begin,
    rows: rows.length === 0 ? null : tableOf(locale, rows),
  })
}

function tableOf(locale: Locale, rows: Markup[]): Markup {
  const { columns } = messageWords[locale]
  const heads = (['title', 'state', 'people', 'when', 'author'] as const).map((column) =>
    head(columns[column], column === 'people'),
  )
  return listTable(heads, rows)
}

/** Something that is being written; the title of a personal message is for those who may read it. */
function writtenRow(locale: Locale, { timeZone }: Unit, item: ListItem): Markup {
  const words = messageWords[locale]
  const { personal, untitled } = composeWords[locale]
  const title =
    item.title === null
      ? html`${personal}`
      : html`<a href="/compose/${item.id}">${item.title || untitled}</a>`
  const kind =
    item.kind === 'message' ? html`` : html` <span class="tag">${words.writtenKinds[item.kind]}</span>`
  const saved = words.times.saved(timeOf(locale, timeZone, item.updatedAt.toISOString()))
  return html`<tr>${[
    html`<th scope="row">${title}${kind}</th>`,
    html`<td><span class="tag plain">${words.writing}</span></td>`,
    html`<td class="number">${words.unknown}</td>`,
    html`<td class="whole">${saved}</td>`,
    html`<td>${item.updatedByName ?? item.updatedBy}</td>`,
  ]}</tr>\n`
}

function rowOf(locale: Locale, { timeZone }: Unit, item: MessageListItem): Markup {
  const words = messageWords[locale]
  const people = item.recipients
    ? kitWords[locale].people(numberOf(locale, item.recipients.total))
    : words.unknown
  const [what, at] = timeShown(item)
  return html`<tr>${[
    html`<th scope="row"><a href="/messages/${item.id}">${localise(locale, item.title)}</a></th>`,
    html`<td>${stateTag(words, item)}</td>`,
    html`<td class="number">${people}</td>`,
    html`<td class="whole">${words.times[what](timeOf(locale, timeZone, at))}</td>`,
    html`<td>${actorName(locale, item.author)}</td>`,
  ]}</tr>\n`
}

/** The time that a row shows, and of what it is. */
function timeShown({ state, startsAt, submittedAt, createdAt }: MessageListItem) {
  if (startsAt !== null && state !== 'draft')
    return [isOneOf(stateGroups.sent, state) ? 'sent' : 'planned', startsAt] as const
  return submittedAt === null ? (['created', createdAt] as const) : (['submitted', submittedAt] as const)
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
