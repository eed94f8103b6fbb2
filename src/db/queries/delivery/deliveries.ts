import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Channel, Locale } from '../../../contract/enums.ts'
import type { SkipReason } from '../../../domain/audience/audience.ts'
import { bindsPeople } from '../../../domain/audience/drift.ts'
import type { Pace } from '../../../domain/message/pace.ts'
import type { Db, Trx } from '../../connect.ts'
import type { ChannelCounts, SkippedCounts } from '../../tables.ts'
import { type EligibilityRules, eligibilityJoins, verdict } from '../audience/eligibility.ts'
import { type AudienceSpec, audienceRowsTable } from '../audience/rows.ts'
import {
  type ComparedChannel,
  type Comparisons,
  comparisons,
  comparisonsOf,
  rowMarks,
} from '../audience/sample.ts'
import { findGroupQueries } from '../audience/subjects.ts'
import { batchAt, batchRanges, insertBatches, nextBatchNumber } from './batch-numbers.ts'
import { insertPacedBatches, pacedBatch, paceOf } from './pace.ts'

/**
 * Creates the partition of a wave's deliveries if it is missing: `delivery` is partitioned by the month in the wave's id
 * (UUIDv7, UTC), so that old months can be dropped whole. Readers and writers are not blocked; a second creator
 * waits for the first one's transaction, so call it in a short one: where the wave is created. (It waits on the table's
 * lock, which attaching takes anyway: after an advisory lock, the second creator would still read its stale catalogue
 * cache and miss the new partition.)
 */
export async function ensureDeliveryPartition(db: Db | Trx, waveId: string): Promise<void> {
  const month = monthOf(waveId)
  const { rows } = await sql<{ missing: boolean }>`
    select to_regclass(${`delivery_${month.replace('-', '_')}`}) is null as missing`.execute(db)
  if (rows[0]!.missing) await sql`select make_delivery_partition(${`${month}-01`}::date)`.execute(db)
}

/** The month of a UUIDv7, in UTC: `2026-11`. */
function monthOf(id: string): string {
  const date = new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
  return date.toISOString().slice(0, 7)
}

/** Maximum recipients of one provider call, by channel. */
type BatchSizes = Record<Channel, number>

/** The initial counts of a wave, in deliveries; `expected` includes skipped ones. */
export type WrittenCounts = {
  expected: number
  skipped: SkippedCounts
  byChannel: Partial<Record<Channel, ChannelCounts>>
}

/**
 * `locales`: of those who are sent to, in the order of their batches. `compared`: those who are sent to, with the people who
 * were approved; null where the approval binds nobody.
 */
export type WrittenDeliveries = WrittenCounts & {
  locales: Partial<Record<Channel, Locale[]>>
  compared: Comparisons | null
}

/** Whether deliveries could not be written because the month of their wave has no partition yet. */
export function lacksPartition(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23514' &&
    error.table === 'delivery' &&
    !error.constraint
  )
}

/** Whom a wave sends to, and how fast; no pace: as fast as the channels take it. */
type WaveSpec = AudienceSpec & { messageId: string; pace?: Pace | null }

/**
 * Writes a wave's rows, once: a delivery for each person the audience names, skipped if excluded, and the batches of
 * the others, numbered by locale, then subject. One statement, one snapshot; no list of people leaves Postgres.
 * @throws ServiceError validation_error if the audience uses an unavailable dimension
 * @throws DatabaseError if the wave's month has no partition (`lacksPartition`)
 */
export async function insertDeliveries(
  trx: Trx,
  waveId: string,
  spec: WaveSpec,
  batchSizes: BatchSizes,
): Promise<WrittenDeliveries> {
  const groupQueries = await findGroupQueries(trx, spec.unitId, spec.audience)
  const { rows } = await insertDeliveriesQuery(waveId, { ...spec, groupQueries }, batchSizes).execute(trx)
  return sumGroups(rows[0]!)
}

/** The deliveries written, by channel and skip reason (null: pending), with their languages. */
type DeliveryGroup = { channel: Channel; reason: SkipReason | null; count: number; locales: Locale[] }
type WrittenGroups = { groups: DeliveryGroup[] | null; compared: ComparedChannel[] }

/** The statement of `insertDeliveries`; separate, so that its SQL can be tested. */
function insertDeliveriesQuery(
  waveId: string,
  spec: WaveSpec,
  batchSizes: BatchSizes,
): RawBuilder<WrittenGroups> {
  const { pace, messageId, plan } = spec
  const binds = bindsPeople(spec)
  const sizes = plan.channels.map((channel) => sql`(${sql.lit(channel)}, ${sql.lit(batchSizes[channel])})`)
  // Sorted once: the order numbers the people, and puts the rows of a batch next to each other on disk.
  return sql`
    with people as materialized (
      select subject_id, locale, channel, verdict,
        row_number() over (partition by verdict is null, channel, locale order by subject_id) - 1 as ordinal${
          binds
            ? sql`,
        ${rowMarks(messageId, plan.channels)}`
            : sql``
        }
      from ${audienceRowsTable(spec)}
    ),
    groups as (
      select channel, locale, verdict, count(*) as count from people group by channel, locale, verdict
    ),${pace ? paceOf(pace) : sql``}
    size (channel, per_batch) as (${
      pace
        ? sql`select channel, ${pacedBatch} from (values ${sql.join(sizes)}) as most (channel, per_batch), pace`
        : sql`values ${sql.join(sizes)}`
    }),
    runs as (${batchRanges(sql`groups join size using (channel) where verdict is null`, sql.lit(0))}
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state, reason)
      select ${waveId}::uuid, subject_id, channel,
        case when verdict is null then ${batchAt} end,
        case when verdict is null then 'pending' else 'skipped' end, verdict
      from people left join runs using (channel, locale)
    ),
    batched as (${pace ? insertPacedBatches(waveId) : insertBatches(waveId, { repeats: false })}
    )
    select (
        select json_agg(json_build_object('channel', channel, 'reason', verdict, 'count', count, 'locales', locales))
        from (
          select channel, verdict, sum(count) as count, array_agg(locale order by locale) as locales
          from groups group by channel, verdict
        ) as of_channel
      ) as groups,
      ${binds ? sql`(select ${comparisons(messageId, plan.channels)} from people)` : sql`'[]'::json`} as compared`
}

function sumGroups({ groups: rows, compared }: WrittenGroups): WrittenDeliveries {
  const groups = rows ?? []
  const byChannel: WrittenCounts['byChannel'] = {}
  const skipped: SkippedCounts = {}
  const pending = groups.filter(({ reason }) => reason === null)
  for (const { channel, reason, count } of groups) {
    byChannel[channel] ??= { expected: 0, sent: 0, failed: 0, unknown: 0, skipped: {} }
    byChannel[channel].expected += count
    if (reason === null) continue
    byChannel[channel].skipped[reason] = count
    skipped[reason] = (skipped[reason] ?? 0) + count
  }
  const expected = groups.reduce((sum, { count }) => sum + count, 0)
  const locales = Object.fromEntries(pending.map((group) => [group.channel, group.locales]))
  return { expected, skipped, byChannel, locales, compared: comparisonsOf(compared) }
}

/** People with a pending delivery in a wave. */
export async function countWaveRecipients(trx: Trx, waveId: string): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct subject_id) as people from delivery where wave_id = ${waveId} and state = 'pending'
  `.execute(trx)
  return rows[0]!.people
}

/** Which of these people may be sent to on another channel, each with the first of `channels` that is open to them. */
export async function findOpenChannels(
  trx: Trx,
  channels: readonly Channel[],
  subjectIds: string[],
  rules: EligibilityRules,
): Promise<{ subjectId: string; channel: Channel }[]> {
  const spec = { ...rules, frequencyCap: null } // applied when the deliveries were written
  const cases = channels.map(
    (channel) => sql`when ${verdict(spec, channel)} is null then ${sql.lit(channel)}`,
  )
  const { rows } = await sql<{ subjectId: string; channel: Channel | null }>`
    select person.id as "subjectId", case ${sql.join(cases, sql` `)} end as channel
    from unnest(${subjectIds}::uuid[]) as person (id)
      ${eligibilityJoins(spec, channels)}
    order by person.id
  `.execute(trx)
  return rows.flatMap(({ subjectId, channel }) => (channel ? [{ subjectId, channel }] : []))
}

/** People of a wave who fall back to another channel. */
type Fallback = { waveId: string; channel: Channel; locale: string; subjectIds: string[] }

/** Inserts their deliveries and batches on that channel, and adds them to `expected`. Requires the wave's lock. */
export async function insertFallback(trx: Trx, fallback: Fallback, perBatch: number): Promise<void> {
  const { waveId, channel, locale, subjectIds } = fallback
  const more = subjectIds.length
  const group = sql`(
        values (${channel}, ${locale}, ${more}::int, ${perBatch}::int)) as fallback (channel, locale, count, per_batch)`
  const none = JSON.stringify({ sent: 0, failed: 0, unknown: 0, skipped: {}, expected: 0 })
  await sql`
    with people as (
      select subject_id, ordinality - 1 as ordinal from unnest(${subjectIds}::uuid[]) with ordinality as member (subject_id)
    ),
    runs as materialized (${batchRanges(group, nextBatchNumber(waveId, channel))}
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select ${waveId}::uuid, subject_id, channel, ${batchAt}, 'pending' from people cross join runs
    ),
    batched as (${insertBatches(waveId, { repeats: false })}
    )
    update wave
    set expected = expected + ${more}::int,
      by_channel = jsonb_set(
        by_channel || jsonb_build_object(${channel}::text, coalesce(by_channel -> ${channel}, ${none}::jsonb)),
        array[${channel}, 'expected']::text[],
        to_jsonb(coalesce((by_channel -> ${channel} ->> 'expected')::int, 0) + ${more}::int)
      )
    where id = ${waveId}
  `.execute(trx)
}
