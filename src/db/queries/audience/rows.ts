import { type RawBuilder, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Audience } from '../../../domain/audience/audience.ts'
import type { ChannelPlan } from '../../../domain/content/channel-plan.ts'
import { type EligibilityRules, eligibilityJoins, type ReminderOf, verdict } from './eligibility.ts'
import { type AudienceScope, matchesAudience } from './subjects.ts'

/** Everything that decides who gets a message, and on which channels. */
export type AudienceSpec = EligibilityRules & AudienceScope & { audience: Audience; plan: ChannelPlan }

/**
 * The one expression behind the counts, the reasons and the deliveries, so that dry-run and send cannot disagree: a
 * query of all people the audience names, as (subject_id, locale, verdict, and for each channel of the plan whether they
 * get it there and, as `<channel>_bound`, since when its address is bound). verdict: null if they get it on any
 * channel, otherwise the reason of the plan's first channel. Of a plan with several channels, `<channel>_verdict` is
 * the reason of each.
 */
export function audience(spec: AudienceSpec): RawBuilder<unknown> {
  const { channels, mode } = spec.plan
  const verdicts = channels.map((channel) => sql`${verdict(spec, channel)} as ${sql.ref(channel)}`)
  const gets = channels.map((channel, index) => {
    const closed = mode === 'all' ? [] : channels.slice(0, index)
    return sql`${all([isOpen(channel), ...closed.map(isClosed)])} as ${sql.ref(channel)}`
  })
  const bound = channels.map((channel) => sql.ref(`${channel}_bound`))
  const boundAt = channels.map(
    (channel) => sql`${sql.ref(`${channel}_address`)}.bound_at as ${sql.ref(`${channel}_bound`)}`,
  )
  const each =
    channels.length > 1
      ? channels.map((channel) => sql`${sql.ref(channel)} as ${sql.ref(`${channel}_verdict`)}`)
      : []
  return sql`
    select subject_id, locale, ${sql.join([...gets, ...bound, ...each])},
      case when ${all(channels.map(isClosed))} then ${sql.ref(channels[0]!)} end as verdict
    from (
      select person.id as subject_id, person.locale,
        ${sql.join([...verdicts, ...boundAt], sql`,\n        `)}
      from (
        select id, locale from subject
        where ${matchesAudience(spec.audience, spec)}
      ) as person
      ${eligibilityJoins(spec, channels)}
    ) as gates`
}

/**
 * `audience` as a table of another query. Its name decides whether the statement is prepared (src/db/statement-names.ts):
 * individuals are found by their uids, by the same plan for everybody.
 */
export function audienceTable(spec: AudienceSpec): RawBuilder<unknown> {
  return sql`(${audience(spec)}) as ${tableName(spec)}`
}

/** The same of `audienceRows`. */
export function audienceRowsTable(spec: AudienceSpec): RawBuilder<unknown> {
  return sql`(${audienceRows(spec)}) as ${tableName(spec)}`
}

function tableName({ audience: { kind } }: AudienceSpec) {
  return sql.raw(kind === 'individual' ? 'individuals' : 'audience')
}

/** The columns of `audience` with the reason of each channel; none of a plan with one. */
export function verdictColumns({ plan: { channels } }: Pick<AudienceSpec, 'plan'>): RawBuilder<unknown>[] {
  return channels.length > 1 ? channels.map((channel) => sql.ref(`${channel}_verdict`)) : []
}

/**
 * The audience as rows to write, a query of (subject_id, locale, channel, verdict): one per person and channel on which
 * they get it; for a person who gets nothing, one on the plan's first channel with the verdict. Except for a reminder, also
 * since when the address is bound, as `bound_at`.
 */
function audienceRows(spec: AudienceSpec): RawBuilder<unknown> {
  const { channels, mode } = spec.plan
  if (spec.reminds) return rowPerDelivery(spec, spec.reminds, channels)
  return mode === 'all' && channels.length > 1 ? rowPerChannel(spec, channels) : rowPerPerson(spec, channels)
}

function rowPerChannel(spec: AudienceSpec, channels: readonly Channel[]): RawBuilder<unknown> {
  const ways = channels.map(
    (channel) => sql`(${sql.lit(channel)}, ${sql.ref(channel)}, ${sql.ref(`${channel}_bound`)})`,
  )
  return sql`
    select subject_id, locale, way.channel, verdict, way.bound_at
    from ${audienceTable(spec)}
    cross join lateral (values ${sql.join(ways)}) as way (channel, open, bound_at)
    where way.open or (verdict is not null and way.channel = ${sql.lit(channels[0])})`
}

function rowPerPerson(spec: AudienceSpec, [first, ...others]: readonly Channel[]): RawBuilder<unknown> {
  const ofTheirs = (column: (channel: Channel) => RawBuilder<unknown>) => {
    const cases = others.map((channel) => sql`when ${sql.ref(channel)} then ${column(channel)}`)
    return cases.length === 0
      ? column(first!)
      : sql`case ${sql.join(cases, sql` `)} else ${column(first!)} end`
  }
  return sql`
    select subject_id, locale, ${ofTheirs((channel) => sql.lit(channel))} as channel, verdict,
      ${ofTheirs((channel) => sql.ref(`${channel}_bound`))} as bound_at
    from ${audienceTable(spec)}`
}

/** A reminder uses only the channels on which the message was, or may have been, sent to the person. */
function rowPerDelivery(
  spec: AudienceSpec,
  { firstWaveId }: ReminderOf,
  channels: readonly Channel[],
): RawBuilder<unknown> {
  const cases = channels.map((channel) => sql`when ${sql.lit(channel)} then ${verdict(spec, channel)}`)
  return sql`
    select person.id as subject_id, locale, person.channel, case person.channel ${sql.join(cases, sql` `)} end as verdict
    from (
      select subject.id, locale, channel from delivery join subject on subject.id = subject_id
      where wave_id = ${firstWaveId} and state in ('sent', 'unknown')
    ) as person
    ${eligibilityJoins(spec, channels)}`
}

function isOpen(channel: Channel): RawBuilder<boolean> {
  return sql`${sql.ref(channel)} is null`
}

function isClosed(channel: Channel): RawBuilder<boolean> {
  return sql`${sql.ref(channel)} is not null`
}

function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` and `)}`
}
