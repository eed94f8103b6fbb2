import { type QueryCreator, sql, type UpdateObject } from 'kysely'
import type { CompiledContent } from '../../../channels/channel.ts'
import type { Channel, Layer, Origin, UnknownPolicy, WaveState } from '../../../contract/enums.ts'
import type { Audience, Snapshot } from '../../../domain/audience/audience.ts'
import type { ChannelPlan } from '../../../domain/content/channel-plan.ts'
import type { Pace } from '../../../domain/message/pace.ts'
import type { QuietPeriod } from '../../../domain/message/quiet-hours.ts'
import { isOpenWave } from '../../../domain/message/waves.ts'
import type { Approval } from '../../../domain/rights/approval.ts'
import type { Db, Trx } from '../../connect.ts'
import type { Database, WaveRow } from '../../tables.ts'
import { currentApproval } from '../approval/current-approval.ts'
import { capOf, type EligibilityRules, type FrequencyCap, type ReminderOf } from '../audience/eligibility.ts'
import { quietPeriodOf } from '../catalogue/category.ts'
import { heldBy, type Reserved } from '../quota/reservation.ts'
import type { WrittenCounts } from './deliveries.ts'

/** What a slice needs to know of a wave; the fields that may change after approval come first. */
export type WaveInfo = {
  state: WaveState
  /** The message's, when this was read. */
  version: number
  /** Pushes that it holds on the ledger. */
  reserved: Reserved[]
  month: string
  /** Number of deliveries, counted when they were written. */
  expected: number | null
  /** An operator skips the remaining recipients. */
  skipRemaining: boolean
  /** The message has expired. */
  expired: boolean
  waveId: string
  /** When this was read, by Postgres' clock. */
  readAt: Date
  messageId: string
  unitId: string
  origin: Origin
  /** When it could send; before its start, as of now. Quiet hours are not taken into account. */
  dueAt: Date | null
  /** For a reminder: what it reminds of. */
  reminds: ReminderOf | null
  audience: Audience
  plan: ChannelPlan
  categoryId: string
  layer: Layer
  consentScope: string | null
  topicId: string | null
  onUnknown: UnknownPolicy
  frequencyCap: FrequencyCap | null
  quiet: QuietPeriod | null
  pace: Pace | null
  /** How many people the automatic check may approve. */
  autoMaxRecipients: number
  /** The snapshot that was approved last: its counts, and when it was taken. */
  approved: Snapshot['recipients']
  snapshotAt: Date
  compiled: CompiledContent
  /** Who approved what it sends; null: nobody, and nothing is sent. */
  approval: Approval | null
}

/** Reads a wave with its message and content. */
export function findWaveInfo(db: Db, waveId: string): Promise<WaveInfo | undefined> {
  return briefs(db).where('w.id', '=', waveId).executeTakeFirst()
}

/**
 * The same for a message's active wave: the first one, and its reminder once the message is sent. Undefined before
 * approval.
 */
export function findActiveWaveInfo(db: Db, messageId: string): Promise<WaveInfo | undefined> {
  return briefs(db)
    .where('m.id', '=', messageId)
    .where('w.number', '=', sql<number>`case m.state when 'sent' then 1 else 0 end`)
    .executeTakeFirst()
}

/** When a wave that has not started can send: at the time planned for it, but not before the last move. */
const plannedFor = sql`greatest(m.changed_at, case w.number when 0 then m.schedule_at else m.remind_at end)`
/** The same for an update of the wave; read before the message's row records the move that starts it. */
const whenDue = sql<Date>`(select ${plannedFor} from message as m, wave as w where m.id = w.message_id and w.id = wave.id)`

function briefs(db: Db) {
  return db
    .selectFrom('wave as w')
    .innerJoin('message as m', 'm.id', 'w.message_id')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .innerJoin('unit as u', 'u.id', 'm.unit_id')
    .innerJoin('message_content as content', 'content.message_id', 'm.id')
    .leftJoin('wave as f', (join) =>
      join.onRef('f.message_id', '=', 'w.message_id').on('f.number', '=', 0).on('w.number', '=', 1),
    )
    .select(
      sql<ReminderOf | null>`case when f.id is not null
        then jsonb_build_object('messageId', m.id, 'firstWaveId', f.id, 'to', m.remind_to) end`.as('reminds'),
    )
    .select(['w.id as waveId', 'm.id as messageId', 'm.unit_id as unitId', 'm.origin'])
    .select(sql<Date>`clock_timestamp()`.as('readAt'))
    .select(['m.version', heldBy('w').as('reserved')])
    .select(['w.state', 'w.month', 'w.expected', 'w.skip_remaining as skipRemaining'])
    .select(
      sql<Date | null>`case w.state when 'waiting' then ${plannedFor} else coalesce(w.due_at, w.started_at) end`.as(
        'dueAt',
      ),
    )
    .select(sql<boolean>`coalesce(m.expires_at <= clock_timestamp(), false)`.as('expired'))
    .select(['m.audience', 'm.pace', 'm.channel_plan as plan', 'c.id as categoryId', 'c.layer'])
    .select(['c.consent_scope as consentScope', 'm.topic_id as topicId', 'c.on_unknown as onUnknown'])
    .select(['c.frequency_cap as frequencyCap', quietPeriodOf.as('quiet')])
    .select('c.auto_max_recipients as autoMaxRecipients')
    .select(sql<WaveInfo['approved']>`m.snapshot -> 'recipients'`.as('approved'))
    .select(sql<Date>`m.snapshot_at`.as('snapshotAt'))
    .select(
      sql<WaveInfo['compiled']>`coalesce(case when f.id is not null then content.compiled_reminder end,
        content.compiled, '{}')`.as('compiled'),
    )
    .select(currentApproval.as('approval'))
}

/**
 * A wave that an approval opens: the one that sends the message (0) or reminds of it (1), waiting for its time, or
 * `missed` if that has passed. `month` is the month of the send, `YYYY-MM-01`.
 */
export type NewWave = { number: 0 | 1; month: string; state: 'waiting' | 'missed' }

/** Creates waves as part of another statement. After a drift those that exist are reused. */
export function wavesInto(query: QueryCreator<Database>, messageId: string, waves: readonly NewWave[]) {
  return query
    .insertInto('wave')
    .values(waves.map((wave) => ({ message_id: messageId, ...wave })))
    .onConflict((conflict) =>
      conflict.columns(['message_id', 'number']).doUpdateSet({
        state: ({ ref }) => ref('excluded.state'),
        month: ({ ref }) => ref('excluded.month'),
      }),
    )
    .returning(['id', 'number'])
}

/** Writing a million rows takes longer than the statement timeout of the pool. */
const timeToWrite = '15min'

/**
 * Takes the exclusive right to write a wave's rows until the transaction ends, and time enough for it. `busy`: another
 * worker has it; `done`: the rows are written.
 */
export async function lockForWriting(trx: Trx, waveId: string): Promise<'locked' | 'busy' | 'done'> {
  const { rows: locks } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${waveId}, 0)) as locked,
      set_config('statement_timeout', ${timeToWrite}, true)
  `.execute(trx)
  if (!locks[0]!.locked) return 'busy'
  const { expected } = await trx
    .selectFrom('wave')
    .select('expected')
    .where('id', '=', waveId)
    .executeTakeFirstOrThrow()
  return expected === null ? 'locked' : 'done'
}

/**
 * If the category has a frequency cap, lets one of its messages at a time write its rows, until the transaction ends,
 * so that each sees the recipients of those before it. Returns false if another message holds the lock.
 */
export async function lockFrequencyCap(trx: Trx, rules: EligibilityRules): Promise<boolean> {
  if (!capOf(rules)) return true
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`cap ${rules.categoryId}`}, 0)) as locked
  `.execute(trx)
  return rows[0]!.locked
}

/** The initial counts of a wave as columns of its row, including deliveries skipped from the start. */
export function expectedColumns({ expected, skipped, byChannel }: WrittenCounts) {
  return { expected, skipped: JSON.stringify(skipped), by_channel: JSON.stringify(byChannel) }
}

/** Writes the initial counts of a wave whose quota is reserved next. Requires the wave's lock. */
export async function setExpected(trx: Trx, waveId: string, counts: WrittenCounts): Promise<void> {
  const set = { ...expectedColumns(counts), unreserved: true }
  await trx.updateTable('wave').set(set).where('id', '=', waveId).execute()
}

/** Lets the batches of a wave be claimed: their quota is reserved. Requires the wave's lock. */
export async function openWave(trx: Trx, waveId: string): Promise<void> {
  await trx.updateTable('wave').set({ unreserved: false }).where('id', '=', waveId).execute()
}

/** Keeps the reconciler away during a slice: the run need not act for a minute. Locks the message. */
export async function postponeWakeup(trx: Trx, messageId: string): Promise<void> {
  await sql`
    update message set next_wakeup_at = clock_timestamp() + interval '60 seconds'
    where id = ${messageId} and closed_at is null and next_wakeup_at is not null
  `.execute(trx)
}

/** Locks a wave; `now` is Postgres' clock at that moment. Lock order: its message first, if needed. */
export function lockWave(trx: Trx, waveId: string): Promise<WaveRow & { now: Date }> {
  return trx
    .selectFrom('wave')
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('id', '=', waveId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Sets the month whose ledger counts the wave's next pushes. */
export async function setMonth(trx: Trx, waveId: string, month: string): Promise<void> {
  await trx.updateTable('wave').set({ month }).where('id', '=', waveId).execute()
}

/** Members of uncounted batches, by channel: their quota must stay reserved. */
export async function countUncountedMembers(
  trx: Trx,
  waveId: string,
): Promise<Partial<Record<Channel, number>>> {
  const rows = await trx
    .selectFrom('batch')
    .select(['channel', sql<number>`sum(size)::int`.as('members')])
    .where('wave_id', '=', waveId)
    .where('state', '<>', 'counted')
    .where('repeats', '=', false)
    .groupBy('channel')
    .execute()
  return Object.fromEntries(rows.map(({ channel, members }) => [channel, members]))
}

/** A wave that a move gives another state, and what else it writes of it. */
export type ChangedWave = { wave: WaveRow; state: WaveState; set?: WaveColumns }

/** What a move writes of a wave's row besides its state. */
export type WaveColumns = UpdateObject<Database, 'wave'>

/** Changes a wave's state, with its dependent columns, as part of another statement. Requires the wave's lock. */
export function waveStateInto(query: QueryCreator<Database>, { wave, state, set = {} }: ChangedWave) {
  const now = sql<Date>`clock_timestamp()`
  return query
    .updateTable('wave')
    .set({
      ...set,
      state,
      ...(state === 'sending' && wave.started_at === null && { started_at: now, due_at: whenDue }),
      ...(state === 'sending' && wave.started_at !== null && { due_at: now }),
      ...(state === 'waiting' && { started_at: null, due_at: null }),
      ...(!isOpenWave(state) && { ...noProblem, finished_at: now }),
    })
    .where('id', '=', wave.id)
}

/** What the caller knows of the row then: all but the times. */
export function waveIn(wave: WaveRow, state: WaveState): WaveRow {
  return { ...wave, state, ...(!isOpenWave(state) && noProblem) }
}

const noProblem = { parked: null, parked_at: null, probe_at: null }
