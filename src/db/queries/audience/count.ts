import { type RawBuilder, sql } from 'kysely'
import { type Channel, type Exclusion, exclusions, locales } from '../../../contract/enums.ts'
import type { Snapshot } from '../../../domain/audience/audience.ts'
import type { Db, Trx } from '../../connect.ts'
import { type AudienceSpec, audienceTable } from './rows.ts'
import { findGroupQueries, matchesAudience } from './subjects.ts'

export type { AudienceSpec } from './rows.ts'

/**
 * Counts the recipients of a message by channel, and the excluded people by reason, each once: total + Σ excluded
 * + frequency = people named.
 * @throws ServiceError validation_error if the audience uses an unavailable dimension
 */
export async function countAudience(db: Db | Trx, spec: AudienceSpec): Promise<Snapshot['recipients']> {
  const groupQueries = await findGroupQueries(db, spec.unitId, spec.audience)
  const { rows } = await countQuery({ ...spec, groupQueries }).execute(db)
  return recipientsOf(rows[0]!, spec)
}

/**
 * How many people an audience names, whether they can be reached or not: at most `most`.
 * @throws ServiceError validation_error if the audience uses an unavailable dimension
 */
export async function countNamed(
  db: Db | Trx,
  { unitId, audience: named }: Pick<AudienceSpec, 'unitId' | 'audience'>,
  most: number,
): Promise<number> {
  const groupQueries = await findGroupQueries(db, unitId, named)
  const { rows } = await sql<{ people: number }>`
    select count(*) as people
    from (select from subject where ${matchesAudience(named, { unitId, groupQueries })} limit ${most}) as named`.execute(
    db,
  )
  return rows[0]!.people
}

/** The counts of a query's row with `countColumns`. */
export function recipientsOf(counted: Record<string, number>, spec: AudienceSpec): Snapshot['recipients'] {
  const count = (name: string) => counted[name] ?? 0
  const excluded = recordOf(exclusions, count)
  const named =
    count('total') + count('frequency') + exclusions.reduce((sum, reason) => sum + excluded[reason], 0)
  return {
    total: count('total'),
    byChannel: recordOf(spec.plan.channels, count),
    byLocale: recordOf(locales, count),
    excluded,
    excludedByChannel: excludedByChannel(spec, excluded, count),
    unknownUids: spec.audience.kind === 'individual' ? new Set(spec.audience.uids).size - named : 0,
    ...(spec.frequencyCap && { frequency: count('frequency') }),
  }
}

/** Of a plan with one channel, it is what is excluded altogether. */
function excludedByChannel(
  { plan: { channels } }: AudienceSpec,
  excluded: Record<Exclusion, number>,
  count: (name: string) => number,
): NonNullable<Snapshot['recipients']['excludedByChannel']> {
  const entries = channels.map((channel) => [
    channel,
    channels.length === 1 ? excluded : recordOf(exclusions, (reason) => count(onChannel(channel, reason))),
  ])
  return Object.fromEntries(entries)
}

/** The count of people whom a channel leaves out for this reason, whether or not another reaches them. */
function onChannel(channel: Channel, reason: Exclusion): string {
  return `${channel}_${reason}`
}

/** The statement of `countAudience`. */
export function countQuery(spec: AudienceSpec): RawBuilder<Record<string, number>> {
  return sql`
    select ${countColumns(spec)}
    from ${audienceTable(spec)}`
}

/**
 * Filtered counts instead of grouping by reason: with `group by`, Postgres expects a million groups and does not count
 * in parallel.
 */
export function countColumns(spec: AudienceSpec): RawBuilder<unknown> {
  const byChannel = spec.plan.channels.map(
    (channel) => sql`count(*) filter (where ${sql.ref(channel)}) as ${sql.ref(channel)}`,
  )
  const byLocale = locales.map(
    (locale) =>
      sql`count(*) filter (where verdict is null and locale = ${sql.lit(locale)}) as ${sql.ref(locale)}`,
  )
  const reasons = spec.frequencyCap ? [...exclusions, 'frequency'] : exclusions
  const excluded = reasons.map(
    (reason) => sql`count(*) filter (where verdict = ${sql.lit(reason)}) as ${sql.ref(reason)}`,
  )
  const eachExcluded = reasonsOfChannels(spec).map(
    ({ channel, reason }) =>
      sql`count(*) filter (where ${sql.ref(`${channel}_verdict`)} = ${sql.lit(reason)}) as ${sql.ref(onChannel(channel, reason))}`,
  )
  return sql`count(*) filter (where verdict is null) as total,
      ${sql.join([...byChannel, ...byLocale, ...excluded, ...eachExcluded], sql`,\n      `)}`
}

/** The names of `countColumns`. */
export function countNames(spec: AudienceSpec): string[] {
  const each = reasonsOfChannels(spec).map(({ channel, reason }) => onChannel(channel, reason))
  return [
    'total',
    ...spec.plan.channels,
    ...locales,
    ...exclusions,
    ...(spec.frequencyCap ? ['frequency'] : []),
    ...each,
  ]
}

function reasonsOfChannels({ plan: { channels } }: AudienceSpec) {
  if (channels.length === 1) return []
  return channels.flatMap((channel) => exclusions.map((reason) => ({ channel, reason })))
}

function recordOf<Name extends string>(names: readonly Name[], count: (name: Name) => number) {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>
}
