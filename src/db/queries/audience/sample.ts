import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Snapshot } from '../../../domain/audience/audience.ts'
import { type ChannelComparison, namesStageOrTags } from '../../../domain/audience/drift.ts'
import type { Db, Trx } from '../../connect.ts'
import { countColumns, countNames, recipientsOf } from './count.ts'
import { type AudienceSpec, audience, verdictColumns } from './rows.ts'
import { findGroupQueries } from './subjects.ts'

/*
 * The people whom an approval binds, as marks in `audience_sample`: they are made, kept and compared in Postgres, and
 * Node reads numbers only (docs/design/audiences.md).
 */

/** Marks kept of a channel's recipients: with up to this many people, everybody's. */
const sampleSize = 1_024

/**
 * A recipient's mark: a hash of the person and of the moment at which their address was bound, so that another address
 * is another recipient. The seed is random, so that no one can know which people of a large audience are sampled.
 */
function mark(seed: RawBuilder<unknown>, bound: RawBuilder<unknown>, subject = sql.ref('subject_id')) {
  return sql<string>`uuid_hash_extended(${subject}, timestamptz_hash_extended(${bound}, ${seed}))`
}

/** The audience with the marks of its recipients on each channel, as `<channel>_mark`; null if they get nothing there. */
function markedAudience(
  spec: AudienceSpec,
  seedOf: (channel: Channel) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const marks = spec.plan.channels.map(
    (channel) =>
      sql`case when ${sql.ref(channel)} then ${mark(seedOf(channel), sql.ref(`${channel}_bound`))} end as ${markOf(channel)}`,
  )
  const gets = spec.plan.channels.map((channel) => sql.ref(channel))
  return sql`
    select subject_id, locale, verdict, ${sql.join([...gets, ...verdictColumns(spec)])},
      ${sql.join(marks, sql`,\n      `)}
    from (${audience(spec)}) as audience`
}

function markOf(channel: Channel) {
  return sql.ref(`${channel}_mark`)
}

/**
 * Counts the recipients of a message as `countAudience` does, and keeps their marks, in one statement with one pass over
 * the audience. Replaces the marks of an earlier snapshot.
 * @throws ServiceError validation_error if the audience uses an unavailable dimension
 */
export async function recordAudience(
  trx: Trx,
  messageId: string,
  spec: AudienceSpec,
): Promise<Snapshot['recipients']> {
  const groupQueries = await findGroupQueries(trx, spec.unitId, spec.audience)
  const { rows } = await recordQuery(messageId, { ...spec, groupQueries }).execute(trx)
  return recipientsOf(rows[0]!, spec)
}

function recordQuery(messageId: string, spec: AudienceSpec): RawBuilder<Record<string, number>> {
  const { channels } = spec.plan
  const seed = sql`${randomBytes(8).readBigInt64BE().toString()}::bigint`
  const sums = channels.map(
    (channel) => sql`coalesce(sum(${markOf(channel)}), 0) as ${sql.ref(`${channel}_sum`)}`,
  )
  const samples = channels.map(
    (channel) => sql`
      select ${messageId}::uuid, ${sql.lit(channel)}, ${seed}, ${sql.ref(channel)}::integer, ${sql.ref(`${channel}_sum`)},
        array(select ${markOf(channel)} from marked where ${markOf(channel)} is not null
          order by ${markOf(channel)} limit ${sql.lit(sampleSize)})
      from counted`,
  )
  return sql`
    with marked as materialized (${markedAudience(spec, () => seed)}
    ),
    counted as (
      select ${countColumns(spec)},
        ${sql.join(sums)}
      from marked
    ),
    sampled as (
      insert into audience_sample (message_id, channel, seed, people, mark_sum, smallest)
      ${sql.join(samples, sql` union all `)}
      on conflict (message_id, channel) do update set seed = excluded.seed, people = excluded.people,
        mark_sum = excluded.mark_sum, smallest = excluded.smallest
    )
    select ${sql.join(countNames(spec).map((name) => sql.ref(name)))} from counted`
}

export type Comparisons = Partial<Record<Channel, ChannelComparison>>

/**
 * Counts the recipients of a message as `countAudience` does, and compares them with its marks, in one statement with
 * one pass over the audience. `compared` is null for a message without marks.
 * @throws ServiceError validation_error if the audience uses an unavailable dimension
 */
export async function compareAudience(
  db: Db | Trx,
  messageId: string,
  spec: AudienceSpec,
): Promise<{ recipients: Snapshot['recipients']; compared: Comparisons | null }> {
  const groupQueries = await findGroupQueries(db, spec.unitId, spec.audience)
  const { rows } = await compareQuery(messageId, { ...spec, groupQueries }).execute(db)
  const { comparisons, ...counted } = rows[0]!
  return { recipients: recipientsOf(counted, spec), compared: comparisonsOf(comparisons) }
}

export type ComparedChannel = { channel: Channel } & ChannelComparison
type Compared = Record<string, number> & { comparisons: ComparedChannel[] }

function compareQuery(messageId: string, spec: AudienceSpec): RawBuilder<Compared> {
  const seedOf = (channel: Channel) => sampled(messageId, channel, sql`seed`)
  return sql`
    select ${countColumns(spec)},
      ${comparisons(messageId, spec.plan.channels)} as comparisons
    from (${markedAudience(spec, seedOf)}) as marked`
}

/**
 * Compares the marks of rows, as `<channel>_mark`, with the samples of a message: read the result by `comparisonsOf`. A
 * search in the sorted array instead of a join: Postgres has no statistics of marks, and may choose to compare each with
 * each.
 */
export function comparisons(messageId: string, channels: readonly Channel[]): RawBuilder<ComparedChannel[]> {
  const ofChannels = channels.map((channel) => {
    const of = (column: RawBuilder<unknown>) => sampled(messageId, channel, column)
    const [mark, last, marks] = [markOf(channel), of(lastCovered), of(sql`smallest || '{}'`)]
    return sql`json_build_object('channel', ${sql.lit(channel)},
        'before', ${of(sql`people`)}, 'sampled', ${of(sql`cardinality(smallest)`)},
        'now', count(${mark}), 'covered', count(*) filter (where ${mark} <= ${last}),
        'kept', count(*) filter (where ${mark} <= ${last} and (${marks})[width_bucket(${mark}, ${marks})] = ${mark}),
        'same', count(${mark}) = ${of(sql`people`)} and coalesce(sum(${mark}), 0) = ${of(sql`mark_sum`)})`
  })
  return sql`json_build_array(${sql.join(ofChannels, sql`,\n      `)})`
}

/** The greatest mark that the sample covers: the greatest there is, if it is everybody. */
const lastCovered = sql`case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end`

/** A column of a channel's sample; null if the message has none. */
function sampled(messageId: string, channel: Channel, column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${column} from audience_sample where message_id = ${messageId} and channel = ${sql.lit(channel)})`
}

/** The marks of a row of `audienceRows`, as `<channel>_mark`: one of them, or none where nothing is sent. */
export function rowMarks(messageId: string, channels: readonly Channel[]): RawBuilder<unknown> {
  const marks = channels.map((channel) => {
    const of = mark(sampled(messageId, channel, sql`seed`), sql.ref('bound_at'))
    return sql`case when verdict is null and channel = ${sql.lit(channel)} then ${of} end as ${markOf(channel)}`
  })
  return sql.join(marks, sql`,\n        `)
}

/** Null for a message without marks. */
export function comparisonsOf(rows: ComparedChannel[]): Comparisons | null {
  const channels = rows.filter(({ before }) => before !== null)
  if (channels.length === 0) return null
  return Object.fromEntries(
    channels.map(({ channel, before, sampled, now, covered, kept, same }) => [
      channel,
      { before, sampled, now, covered, kept, same },
    ]),
  )
}

/**
 * How many of the people who changed did so neither by their own stage or tags, nor in a group that the audience names.
 * Only for small audiences: it looks up each person. `since`: the time of the snapshot; `groupsChanged`: whether a group
 * has changed since (people who left one cannot be distinguished, and count as that).
 */
export async function countUnexplained(
  db: Db | Trx,
  messageId: string,
  spec: AudienceSpec,
  { since, groupsChanged }: { since: Date; groupsChanged: boolean },
): Promise<number> {
  const groupQueries = await findGroupQueries(db, spec.unitId, spec.audience)
  const seedOf = (channel: Channel) => sampled(messageId, channel, sql`seed`)
  const ways = spec.plan.channels.map((channel) => sql`(${sql.lit(channel)}, ${markOf(channel)})`)
  const movable = sql.lit(namesStageOrTags([spec.audience, ...groupQueries.values()]))
  const { rows } = await sql<{ people: number }>`
    with present as materialized (
      select subject_id, way.channel, way.mark
      from (${markedAudience({ ...spec, groupQueries }, seedOf)}) as marked
      cross join lateral (values ${sql.join(ways)}) as way (channel, mark)
      where way.mark is not null
    ),
    approved as materialized (
      select channel, seed, unnest(smallest) as mark from audience_sample where message_id = ${messageId}
    )
    select (
      select count(*) from present
      where not exists (select from approved where (channel, mark) = (present.channel, present.mark))
        and not exists (select from subject where id = present.subject_id and ${movable} and moved_at > ${since})
        and not exists (
          select from audience_group as named join group_member as member on member.group_id = named.group_id
          where named.message_id = ${messageId} and member.subject_id = present.subject_id
            and member.added_at > ${since}
        )
    ) + (
      select count(*) from approved
      where not ${sql.lit(groupsChanged)}
        and not exists (select from present where (channel, mark) = (approved.channel, approved.mark))
        and not exists (
          select from subject join address on address.subject_id = subject.id and address.channel = approved.channel
          where ${movable} and moved_at > ${since}
            and ${mark(sql.ref('approved.seed'), sql.ref('bound_at'), sql.ref('subject.id'))} = approved.mark
        )
    ) as people`.execute(db)
  return rows[0]!.people
}
