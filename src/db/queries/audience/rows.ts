import { type RawBuilder, sql } from 'kysely'
import type { Audience } from '../../../domain/audience.ts'
import type { Channel, ChannelPlan } from '../../../domain/channel-plan.ts'
import { type GateSpec, gateJoins, verdict } from './gates.ts'
import { isNamed } from './people.ts'

/** Everything that decides who gets a message, where, and who does not. */
export type AudienceSpec = GateSpec & { audience: Audience; plan: ChannelPlan }

/**
 * The one expression behind the counts, the reasons and the delivery rows, so that dry-run and send cannot disagree:
 * a query of (subject_id, locale, channel, verdict, leads). verdict: null = gets it there, else the reason why not; leads: the
 * person's first row. A person with an open channel has rows for open channels only: the first of the plan, or in mode
 * `all` each. A person with none has one row, the plan's first channel with its reason.
 */
export function audience(spec: AudienceSpec): RawBuilder<unknown> {
  const { channels, mode } = spec.plan
  const gates = sql`
    select person.id as subject_id, person.locale, ${verdicts(spec)}
    from (select id, locale from subject where ${isNamed(spec.audience)}) as person
    ${gateJoins(spec, channels)}`
  return mode === 'all' && channels.length > 1 ? eachOpen(gates, channels) : firstOpen(gates, channels)
}

/** One verdict per channel, in a column named for it. */
function verdicts(spec: AudienceSpec): RawBuilder<unknown> {
  return sql.join(spec.plan.channels.map((channel) => sql`${verdict(spec, channel)} as ${sql.ref(channel)}`))
}

function firstOpen(gates: RawBuilder<unknown>, channels: readonly Channel[]): RawBuilder<unknown> {
  const first = channels[0]!
  return sql`
    select subject_id, locale, ${firstOpenChannel(channels)} as channel,
      case when ${noneOpen(channels)} then ${sql.ref(first)} end as verdict, true as leads
    from (${gates}) as gates`
}

function eachOpen(gates: RawBuilder<unknown>, channels: readonly Channel[]): RawBuilder<unknown> {
  const pairs = channels.map((channel) => sql`(${sql.lit(channel)}, ${sql.ref(channel)})`)
  return sql`
    select subject_id, locale, gate.channel, gate.verdict,
      gate.channel = ${firstOpenChannel(channels)} as leads
    from (${gates}) as gates
    cross join lateral (values ${sql.join(pairs)}) as gate (channel, verdict)
    where gate.verdict is null or (gate.channel = ${sql.lit(channels[0])} and ${noneOpen(channels)})`
}

/** The plan's first channel that is open; where none is, its first. */
function firstOpenChannel(channels: readonly Channel[]): RawBuilder<Channel> {
  const [first, ...others] = channels
  const later = others.map((channel) => sql`when ${sql.ref(channel)} is null then ${sql.lit(channel)}`)
  if (later.length === 0) return sql.lit(first!)
  return sql`case when ${sql.ref(first!)} is null then ${sql.lit(first!)}
    ${sql.join(later, sql` `)} else ${sql.lit(first!)} end`
}

function noneOpen(channels: readonly Channel[]): RawBuilder<boolean> {
  return sql.join(
    channels.map((channel) => sql`${sql.ref(channel)} is not null`),
    sql` and `,
  ) as RawBuilder<boolean>
}
