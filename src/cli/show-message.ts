import { ServiceError } from '../contract/errors.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { Db } from '../db/connect.ts'
import { insertAudit } from '../db/queries/audit/audit.ts'
import { findMessageDetail, type MessageDetailRow, type MessageItemRow } from '../db/queries/message/read.ts'
import { listMessageDeliveries } from '../db/queries/message/records.ts'
import { findRunSummary } from '../db/queries/run/summary.ts'
import { channelEntries } from '../domain/lib/channel-entries.ts'
import { idOrNull } from '../domain/lib/id.ts'
import { sumOfCounts, type Tally } from '../domain/message/stats.ts'
import { toInstant } from '../services/instants.ts'
import { parkedOf, retryingOf, statsOfRow, timelineOf } from '../services/messages/read.ts'
import { type CommandContext, cliActor } from './command.ts'
import { formatColumns } from './table.ts'

/** The title of a personal message is part of its text, which is for its authors and approvers. */
export function titleForOperators({
  kind,
  title,
  category_name,
}: Pick<MessageItemRow, 'kind' | 'title' | 'category_name'>): LocalisedText {
  return kind === 'personal' ? category_name : title
}

/**
 * `carillon message show`: what a caller reads of a message, without its text and its people.
 * @throws ServiceError not_found
 */
export async function showMessage({ db, answer }: CommandContext, named: string): Promise<void> {
  const id = idOrNull(named)
  const run = id === null ? undefined : await findRunSummary(db, { kind: 'message', id })
  const row = run && (await findMessageDetail(db, cliActor, run.id, [run.unitId]))
  if (!run || !row)
    throw new ServiceError('not_found', `No message ${named}. See: carillon message list <unit>`)
  const failed = row.shortfall ? await failedOf(db, row) : []
  const message = { ...viewOf(row, { id: run.unitId, name: run.unitName }), failed }
  answer(message, linesOf(message))
}

/** How many failed deliveries are named. */
const failedNamed = 20

/** Whom a send that reached too few did not reach, and why. Audited, as reading them over the API is. */
async function failedOf(db: Db, { id, unit_id }: MessageDetailRow) {
  const page = { after: null, limit: failedNamed }
  const rows = await listMessageDeliveries(db, id, { states: ['failed'] }, page)
  await insertAudit(db, {
    unitId: unit_id,
    actor: cliActor,
    action: 'read',
    objectKind: 'message',
    objectId: id,
    details: { what: 'deliveries' },
  })
  return rows.map(({ uid, channel, reason }) => ({ uid, channel, reason }))
}

function viewOf(row: MessageDetailRow, unit: { id: string; name: string }) {
  return {
    id: row.id,
    title: titleForOperators(row),
    unit,
    categoryId: row.category_id,
    kind: row.kind,
    origin: row.origin,
    state: row.state,
    problem: row.problem,
    createdAt: row.created_at.toISOString(),
    scheduleAt: toInstant(row.schedule_at),
    holdUntil: toInstant(row.hold_until),
    expiresAt: toInstant(row.expires_at),
    closedAt: toInstant(row.closed_at),
    recipients: row.snapshot?.recipients.total ?? null,
    stats: statsOfRow(row),
    reminder: row.remind_at && { at: row.remind_at.toISOString(), state: row.reminder_state },
    parked: parkedOf(row),
    retrying: retryingOf(row),
    shortfall: row.shortfall,
    timeline: timelineOf(row),
  }
}

type View = ReturnType<typeof viewOf> & { failed: Awaited<ReturnType<typeof failedOf>> }

/** What there is to say, a line each; then the counts of each channel, and the timeline. */
function linesOf(message: View): string[] {
  const { title, unit, stats, parked, reminder } = message
  const facts: [string, string | null][] = [
    ['message', message.id],
    ['title', title['zh-TW']],
    ['unit', `${unit.name} (${unit.id})`],
    ['category', message.categoryId],
    ['kind', message.kind],
    ['origin', message.origin],
    ['state', message.problem === null ? message.state : `${message.state}, parked: ${message.problem}`],
    ['parked', parked && `since ${parked.since}, next try ${parked.nextProbeAt}`],
    ['created', message.createdAt],
    ['send at', message.scheduleAt],
    ['held until', message.holdUntil],
    ['expires', message.expiresAt],
    ['reminder', reminder && `${reminder.at}, ${reminder.state ?? 'not planned yet'}`],
    ['closed', message.closedAt],
    ['recipients', message.recipients === null ? null : String(message.recipients)],
  ]
  const rows = facts.flatMap(([name, fact]) => (fact === null ? [] : [[name, fact]]))
  return [
    ...formatColumns(rows),
    ...countsOf(stats),
    ...shortfallLines(message),
    ...retryingLines(message),
    ...timelineLines(message),
  ]
}

const outcomes = ['sent', 'failed', 'unknown', 'pending'] as const

function countsOf({ byChannel }: View['stats']): string[] {
  const counted = channelEntries<Tally>(byChannel)
  if (counted.length === 0) return []
  const rows = counted.map(([channel, tally]) => [
    channel,
    ...outcomes.map((outcome) => String(tally[outcome])),
    String(sumOfCounts(tally.skipped)),
    Object.entries(tally.skipped)
      .map(([reason, n]) => `${reason} ${n}`)
      .join(', '),
  ])
  const headings = ['channel', ...outcomes, 'skipped', ''].map((heading) => heading.toUpperCase())
  return ['', ...formatColumns([headings, ...rows])]
}

function shortfallLines({ shortfall, failed }: View): string[] {
  if (!shortfall) return []
  const { people, reached, reasons } = shortfall
  const rows = failed.map(({ uid, channel, reason }) => [uid ?? '(erased)', channel, reason ?? ''])
  return [
    ...['', `FAILED: reached ${reached} of ${people} people`],
    ...reasons.map(({ channel, reason, deliveries }) => `${deliveries} on ${channel}: ${reason}`),
    ...formatColumns([['UID', 'CHANNEL', 'REASON'], ...rows]),
    ...(failed.length === failedNamed
      ? ['the first of them; the others: GET /v1/messages/{id}/deliveries?state=failed']
      : []),
  ]
}

function retryingLines({ retrying }: View): string[] {
  return retrying.map(
    ({ channel, reason, deliveries, tries, nextTryAt }) =>
      `retrying on ${channel}: ${deliveries} deliveries, ${reason}, ${tries} tries, the next at ${nextTryAt}`,
  )
}

function timelineLines({ timeline }: View): string[] {
  const rows = timeline.map(({ at, action, by, reason }) => [at, action, by.name, reason ?? ''])
  return rows.length === 0 ? [] : ['', ...formatColumns([['AT', 'MOVE', 'BY', 'REASON'], ...rows])]
}
