import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Channel, MessageState, Origin, Problem, WaveState } from '../../../contract/enums.ts'
import { monthOf } from '../../../domain/lib/month.ts'
import {
  lanesPerWave,
  type OpenBatches,
  type StoredMessage,
  type StoredWave,
} from '../../../domain/message/run-facts.ts'
import { sumOfCounts } from '../../../domain/message/stats.ts'
import type { Db } from '../../connect.ts'
import type { ChannelCounts, MessageRow, SkippedCounts, WaveRow } from '../../tables.ts'
import { quietPeriodOf } from '../catalogue/category.ts'
import { restsUntil, smallWaveActivity } from '../delivery/batch.ts'
import { nextTryAt } from '../delivery/parking.ts'
import { type NextWakeup, recordObservedVersion } from './observed-version.ts'
import { stepRetryAt } from './step-failure.ts'
import { snapshotPeople } from './summary.ts'

/**
 * A message as its run observes it, read at `now` (ms since the epoch, Postgres' clock). `isRecorded`: it has ended, and
 * its row says that the run knows.
 */
type ObservedMessage = {
  stored: StoredMessage
  now: number
  closed: boolean
  view: RunView
  isRecorded: boolean
}

/** What the Temporal UI shows besides: ids, enum values, instants and counts of deliveries. */
export type RunView = {
  /** Version of the row; two observations of the same version see the same message. */
  version: number
  /** Postgres' clock, ms since the epoch. */
  now: number
  unitId: string
  categoryId: string
  origin: Origin
  /** Recipients, as counted last. */
  people: number | null
  state: MessageState
  reminder: WaveState | null
  /** Instants in ISO 8601. `othersContinue`: only some batches keep failing. */
  parked: { problem: Problem; since: string; probeAt: string; othersContinue?: true } | null
  /** The first wave, then the reminder, each once its deliveries are written. */
  counts: {
    of: 'message' | 'reminder'
    expected: number
    sent: number
    failed: number
    unknown: number
    skipped: number
  }[]
}

/** Reads a message for its run; undefined if it does not exist. */
export async function observeMessage(
  db: Db,
  messageId: string,
  quotaTimeZone: string,
): Promise<ObservedMessage | undefined> {
  const row = await db
    .selectFrom('message as m')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .innerJoin('unit as u', 'u.id', 'm.unit_id')
    .select(quietPeriodOf.as('quiet'))
    .select([
      'm.state',
      'm.version',
      'm.closed_at',
      'm.schedule_at',
      'm.hold_until',
      'm.expires_at',
      'm.remind_at',
      'm.pace',
    ])
    .select(['m.unit_id', 'm.category_id', 'm.origin', 'm.step_parked_at'])
    .select(['m.observed_version', 'm.next_wakeup_at', 'm.woken_at', 'm.wake_count'])
    .select(['m.wedged_at', 'm.wedged_failures', 'm.step_failures', 'm.problem'])
    .select(stepRetryAt('m').as('step_retry_at'))
    .select(snapshotPeople.as('people'))
    .select(sql<Planned | null>`m.snapshot -> 'recipients' -> 'byChannel'`.as('planned'))
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .select((from) =>
      jsonArrayFrom(
        from
          .selectFrom('wave as w')
          .select([
            'w.id',
            'w.state',
            'w.month',
            'w.unreserved',
            'w.expected',
            'w.sent',
            'w.failed',
            'w.unknown',
            'w.skipped',
          ])
          .select(['w.by_channel', 'w.parked', 'w.parked_at', 'w.probe_at', 'w.skip_remaining'])
          .select(nextTryAt('w').as('next_try_at'))
          .whereRef('w.message_id', '=', 'm.id')
          .orderBy('w.number'),
      ).as('waves'),
    )
    .where('m.id', '=', messageId)
    .executeTakeFirst()
  if (!row) return undefined
  const [first = null, reminder = null] = row.waves
  const reminding = row.state === 'sent'
  const up = reminding ? reminder : first
  return {
    stored: {
      state: row.state,
      scheduleAt: row.schedule_at?.getTime() ?? null,
      holdUntil: row.hold_until?.getTime() ?? null,
      expiresAt: row.expires_at?.getTime() ?? null,
      remindAt: row.remind_at?.getTime() ?? null,
      quiet: row.quiet,
      paced: row.pace !== null,
      planned: (reminding ? first && mayHaveArrived(first.by_channel) : row.planned) ?? {},
      stepParked: row.step_parked_at && {
        at: row.step_parked_at.getTime(),
        until: row.step_retry_at!.getTime(),
      },
      wave: up && (await storedWave(db, up, row.now, monthOf(row.now, quotaTimeZone))),
    },
    now: row.now.getTime(),
    closed: row.closed_at !== null,
    isRecorded: isEndRecorded(row),
    view: viewOf(
      { ...row, now: row.now.getTime() },
      [first, reminder],
      stepParkedOf(row) ?? (up && parkedOf(up)),
    ),
  }
}

type ViewedMessage = Pick<MessageRow, 'version' | 'unit_id' | 'category_id' | 'origin' | 'state'> & {
  now: number
  people: number | null
}
type ViewedWave = Pick<WaveRow, 'state' | 'expected' | 'sent' | 'failed' | 'unknown' | 'skipped'>

function viewOf(
  { version, now, unit_id: unitId, category_id: categoryId, origin, people, state }: ViewedMessage,
  [first, reminder]: [ViewedWave | null, ViewedWave | null],
  parked: RunView['parked'],
): RunView {
  const counts = [...countsOf('message', first), ...countsOf('reminder', reminder)]
  const waves = { reminder: reminder?.state ?? null, parked, counts }
  return { version, now, unitId, categoryId, origin, people, state, ...waves }
}

type ClosedMessage = { message: MessageRow; wave: WaveRow | null; reminder: WaveRow | null; now: number }

/**
 * What its run would observe of a message that it has just closed under this lock; null if there is something left to
 * record. The rows of the waves hold their last counters.
 */
export function viewOfClosed({ message, wave, reminder, now }: ClosedMessage): RunView | null {
  if (!isEndRecorded(message)) return null
  return viewOf(
    { ...message, now, people: message.snapshot?.recipients.total ?? null },
    [wave, reminder],
    null,
  )
}

type RecordedColumns =
  | (
      | 'closed_at'
      | 'observed_version'
      | 'version'
      | 'next_wakeup_at'
      | 'woken_at'
      | 'wake_count'
      | 'wedged_at'
    )
  | ('wedged_failures' | 'step_failures' | 'step_parked_at' | 'problem')

/** Whether the move that closed a message has written what `recordObservedMessage` would write of it. */
function isEndRecorded(row: Pick<MessageRow, RecordedColumns>): boolean {
  const { next_wakeup_at, woken_at, wedged_at, step_parked_at, problem } = row
  const cleared = [next_wakeup_at, woken_at, wedged_at, step_parked_at, problem].every((one) => one === null)
  const silent = row.wake_count === 0 && row.wedged_failures === 0 && row.step_failures === 0
  return row.closed_at !== null && row.observed_version === row.version && cleared && silent
}

type Planned = Partial<Record<Channel, number>>
/** Instants inside JSON are in Postgres' text format. */
type ObservedWave = {
  id: string
  state: WaveState
  month: string
  unreserved: boolean
  expected: number | null
  sent: number
  failed: number
  unknown: number
  skipped: SkippedCounts
  parked: Problem | null
  parked_at: Date | string | null
  probe_at: Date | string | null
  next_try_at: Date | string | null
  skip_remaining: boolean
}

/** Deliveries of a wave that may have arrived, by channel: these can be reminded of. */
function mayHaveArrived(counts: Partial<Record<Channel, ChannelCounts>>): Planned {
  const arrived = Object.entries(counts).map(([channel, { sent, unknown }]) => [channel, sent + unknown])
  return Object.fromEntries(arrived)
}

/** Reads open batches only for a wave that is being sent. */
async function storedWave(db: Db, wave: ObservedWave, now: Date, thisMonth: string): Promise<StoredWave> {
  const { id, state, expected, parked, skip_remaining } = wave
  const isWritten = expected !== null
  const open = isWritten && state === 'sending' ? await openBatches(db, id) : {}
  const quotaDueAt = isWritten ? quotaDue(wave, now, thisMonth) : null
  const probes = parked !== null && wave.probe_at !== null
  return { id, state, written: isWritten, quotaDueAt, parked, probes, skipRemaining: skip_remaining, open }
}

/** When quota is to be reserved for what is left of a wave; null: it is. */
function quotaDue(wave: ObservedWave, now: Date, thisMonth: string): number | null {
  if (wave.parked === 'quota') return new Date(wave.probe_at ?? now).getTime()
  return wave.unreserved || wave.month < thisMonth ? now.getTime() : null
}

function parkedOf({ parked, parked_at, probe_at, next_try_at }: ObservedWave): RunView['parked'] {
  if (!parked) return null
  const othersContinue = probe_at === null ? { othersContinue: true as const } : {}
  return { problem: parked, since: utc(parked_at!), probeAt: utc(next_try_at!), ...othersContinue }
}

function stepParkedOf(row: { step_parked_at: Date | null; step_retry_at: Date | null }): RunView['parked'] {
  if (!row.step_parked_at) return null
  return { problem: 'internal', since: utc(row.step_parked_at), probeAt: utc(row.step_retry_at!) }
}

function utc(at: Date | string): string {
  return new Date(at).toISOString()
}

function countsOf(of: 'message' | 'reminder', wave: ViewedWave | null): RunView['counts'] {
  if (!wave || wave.expected === null) return []
  const { expected, sent, failed, unknown, skipped } = wave
  return [{ of, expected, sent, failed, unknown, skipped: sumOfCounts(skipped) }]
}

/**
 * Interval at which a batch claimed elsewhere is checked again: most claims are released well before their lease ends.
 */
const claimPollInterval = sql.lit('5 seconds')

/**
 * Batches to claim, per channel; counts no more than the lanes that could claim them. A batch is free after its
 * back-off, its lease, a rest of its channel and a parked wave's next probe.
 */
async function openBatches(db: Db, waveId: string): Promise<StoredWave['open']> {
  const { rows } = await sql<Required<OpenBatches> & { channel: Channel }>`
    select channel.name as channel,
      (count(*) filter (where free_at is null or free_at <= clock_timestamp()))::int as free,
      ceil(extract(epoch from min(free_at) filter (where free_at > clock_timestamp())) * 1000)::float8 as "freeAt",
      coalesce(bool_or(interrupted), false) as interrupted
    from wave
    cross join unnest(${Object.keys(lanesPerWave)}::text[]) as channel (name)
    left join channel_rest on channel_rest.channel = channel.name
    cross join lateral (
      select greatest(
        not_before,
        ${restsUntil},
        wave.probe_at,
        case when lease_until > clock_timestamp()
          then least(lease_until, clock_timestamp() + ${claimPollInterval}::interval) end
      ) as free_at,
      activity_id = ${smallWaveActivity} and lease_until > clock_timestamp()
        and coalesce(greatest(not_before, ${restsUntil}, wave.probe_at) <= clock_timestamp(), true) as interrupted
      from batch
      where batch.wave_id = wave.id and batch.channel = channel.name and batch.state = 'open'
      order by 1 nulls first
      limit ${Math.max(...Object.values(lanesPerWave))}) as open
    where wave.id = ${waveId}
    group by channel.name`.execute(db)
  return Object.fromEntries(rows.map(({ channel, ...open }) => [channel, open]))
}

/**
 * Records the version of a message that its run observed (`recordObservedVersion`). `stepParked`: the run waits because
 * its step kept failing.
 */
export function recordObservedMessage(
  db: Db,
  id: string,
  version: number,
  next: NextWakeup,
  { stepParked = false } = {},
): Promise<boolean> {
  const problemAfter = stepParked ? 'parked' : problemWithoutStep
  return recordObservedVersion(db, { kind: 'message', id }, version, next, problemAfter)
}

/** The problem of a message whose step is tried again: that of its wave, if that is parked too. */
const problemWithoutStep = sql<Problem | null>`case when problem = 'internal' then (
  select parked from wave where wave.message_id = message.id and parked is not null limit 1
) else problem end`
