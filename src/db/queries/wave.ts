import { sql } from 'kysely'
import type { Locale } from '../../contract/localised-text.ts'
import type { Audience } from '../../domain/audience.ts'
import type { Channel, ChannelPlan } from '../../domain/channel-plan.ts'
import type { MessageState } from '../../domain/message-state.ts'
import type { Db, Trx } from '../connect.ts'
import type { Origin, Problem, WaveState } from '../tables.ts'
import { probeEveryMs, withoutWaiting } from './batch.ts'
import type { Written } from './deliveries.ts'
import type { WaveCounters } from './fold.ts'

/** What a slice must know of a wave; nothing of it changes once the message is approved, except `month` and `parked`. */
export type WaveBrief = {
  waveId: string
  messageId: string
  unitId: string
  origin: Origin
  month: string
  /** Deliveries, counted when the rows were written. */
  expected: number | null
  parked: Problem | null
  /** A parked wave may try again. */
  probeDue: boolean
  now: Date
  audience: Audience
  plan: ChannelPlan
  categoryId: string
  layer: 'mandatory' | 'service' | 'promotional'
  consentScope: string | null
  topicId: string | null
  compiled: Partial<Record<Channel, { locales: Record<Locale, { parts: unknown[][] }> }>>
  messageState: MessageState
  /** Past its expiry. */
  expired: boolean
}

/** Reads a wave with its message and content; undefined where there is none. */
export function waveBrief(db: Db, waveId: string): Promise<WaveBrief | undefined> {
  return briefs(db).where('w.id', '=', waveId).executeTakeFirst()
}

/** The same of a message's first wave; undefined before it was approved. */
export function firstWaveBrief(db: Db, messageId: string): Promise<WaveBrief | undefined> {
  return briefs(db).where('m.id', '=', messageId).where('w.number', '=', 0).executeTakeFirst()
}

function briefs(db: Db) {
  return db
    .selectFrom('wave as w')
    .innerJoin('message as m', 'm.id', 'w.message_id')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .innerJoin('message_content as content', 'content.message_id', 'm.id')
    .select(['w.id as waveId', 'm.id as messageId', 'm.unit_id as unitId', 'm.origin'])
    .select(['w.month', 'w.expected', 'w.parked'])
    .select(sql<boolean>`coalesce(w.probe_at <= clock_timestamp(), false)`.as('probeDue'))
    .select('m.state as messageState')
    .select(sql<boolean>`coalesce(m.expires_at <= clock_timestamp(), false)`.as('expired'))
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .select(['m.audience', 'm.channel_plan as plan', 'c.id as categoryId', 'c.layer'])
    .select(['c.consent_scope as consentScope', 'm.topic_id as topicId'])
    .select(sql<WaveBrief['compiled']>`coalesce(content.compiled, '{}')`.as('compiled'))
}

/** The wave's first moment. Under the locks of message and wave. */
export async function beginWave(trx: Trx, waveId: string): Promise<void> {
  await trx
    .updateTable('wave')
    .set({ state: 'sending', started_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', waveId)
    .where(withoutWaiting)
    .execute()
}

type WaveIds = Pick<WaveBrief, 'waveId' | 'messageId'>

/**
 * Asks to be the one who writes a wave's rows, until the transaction ends. `busy`: somebody else is at it; `done`: they
 * are written.
 */
export async function writeAlone(trx: Trx, waveId: string): Promise<'ours' | 'busy' | 'done'> {
  const { rows: locks } = await sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${waveId}, 0)) as ours
  `.execute(trx)
  if (!locks[0]!.ours) return 'busy'
  const { expected } = await trx
    .selectFrom('wave')
    .select('expected')
    .where('id', '=', waveId)
    .executeTakeFirstOrThrow()
  return expected === null ? 'ours' : 'done'
}

/** What a wave begins with: those skipped from the start are counted already. Under its lock. */
export async function setExpected(trx: Trx, waveId: string, written: Written): Promise<void> {
  await trx
    .updateTable('wave')
    .set({
      expected: written.expected,
      skipped: JSON.stringify(written.skipped),
      by_channel: JSON.stringify(written.byChannel),
    })
    .where('id', '=', waveId)
    .execute()
}

/** Parks a wave: a probe in a minute goes on trying. Under the locks of message and wave. */
export async function parkWave(trx: Trx, wave: WaveIds, problem: Problem): Promise<void> {
  const probe_at = sql<Date>`clock_timestamp() + make_interval(secs => ${probeEveryMs / 1000}::float8)`
  await trx.updateTable('wave').set({ parked: problem, probe_at }).where('id', '=', wave.waveId).execute()
  await trx.updateTable('message').set({ problem }).where('id', '=', wave.messageId).execute()
}

/** The wave goes on. Under the locks of message and wave. */
export async function unparkWave(trx: Trx, wave: WaveIds): Promise<void> {
  await trx.updateTable('wave').set({ parked: null, probe_at: null }).where('id', '=', wave.waveId).execute()
  await trx.updateTable('message').set({ problem: null }).where('id', '=', wave.messageId).execute()
}

/** Nothing begins on the channel for so many ms; a longer rest that was asked for before stays. */
export async function restChannel(trx: Trx, channel: Channel, ms: number): Promise<void> {
  await sql`
    insert into channel_rest (channel, until)
    values (${channel}, clock_timestamp() + make_interval(secs => ${ms / 1000}::float8))
    on conflict (channel) do update set until = greatest(channel_rest.until, excluded.until)
  `.execute(trx)
}

/** Keeps the poker away while a slice works: the run need not look before a minute from now. Locks the message. */
export async function lookInAMinute(trx: Trx, messageId: string): Promise<void> {
  await sql`
    update message set next_look_at = clock_timestamp() + interval '60 seconds'
    where id = ${messageId} and closed_at is null and next_look_at is not null
  `.execute(trx)
}

export type LockedWave = WaveCounters & { state: WaveState; month: string }

/** Locks a wave and reads its counters. Whoever needs its message locks that first. */
export function lockWave(trx: Trx, waveId: string): Promise<LockedWave> {
  return trx
    .selectFrom('wave')
    .select(['state', 'month', 'sent', 'failed', 'unknown', 'skipped', 'by_channel'])
    .where('id', '=', waveId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** The month whose ledger the wave's next pushes are counted in. */
export async function setMonth(trx: Trx, waveId: string, month: string): Promise<void> {
  await trx.updateTable('wave').set({ month }).where('id', '=', waveId).execute()
}

/** Members of batches that are not counted yet, by channel: for whom quota must stay reserved. */
export async function membersLeft(trx: Trx, waveId: string): Promise<Partial<Record<Channel, number>>> {
  const rows = await trx
    .selectFrom('batch')
    .select(['channel', sql<number>`sum(size)::int`.as('members')])
    .where('wave_id', '=', waveId)
    .where('state', '<>', 'folded')
    .groupBy('channel')
    .execute()
  return Object.fromEntries(rows.map(({ channel, members }) => [channel, members]))
}
