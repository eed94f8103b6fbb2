import { type RawBuilder, sql } from 'kysely'
import type { Channel, Layer } from '../../../contract/enums.ts'
import type { SkipReason } from '../../../domain/audience.ts'

/** Of what a wave reminds: nobody who was not told, and nobody who answered that they want no reminder. */
export type ReminderOf = { messageId: string; firstWaveId: string }

/** Nobody gets more than `n` messages of a category within so many days. */
export type FrequencyCap = { n: number; days: number }

/** What decides whether a channel is open to a person: the rules of a message's category, and its topic. */
export type EligibilityRules = {
  categoryId: string
  /** `mandatory` ignores preferences and topics, never consent or a block. */
  layer: Layer
  consentScope: string | null
  topicId: string | null
  /** Of a reminder: of what. */
  reminds?: ReminderOf | null
  /** Decided when rows are written; a reminder belongs to a message that was counted, and mandatory is exempt. */
  frequencyCap?: FrequencyCap | null
}

/**
 * The joins that `verdict` looks at, to people in scope as `person (id)`: left joins on primary keys, at most
 * one row each, so that a million people are hashed and never asked one by one.
 */
export function eligibilityJoins(spec: EligibilityRules, channels: readonly Channel[]): RawBuilder<unknown> {
  const joins = channels.flatMap((channel) => [address(channel), ...preference(spec, channel)])
  return sql.join(
    [...consent(spec), ...topic(spec), ...doNotRemind(spec), ...frequencyCapJoin(spec), ...joins],
    sql`\n      `,
  )
}

function consent({ consentScope }: EligibilityRules): RawBuilder<unknown>[] {
  if (consentScope === null) return []
  return [
    sql`left join consent on consent.subject_id = person.id and consent.scope = ${consentScope}
        and consent.withdrawn_at is null`,
  ]
}

function topic({ topicId, layer }: EligibilityRules): RawBuilder<unknown>[] {
  if (topicId === null || layer === 'mandatory') return []
  return [
    sql`left join topic_unsubscribe as topic_off on topic_off.subject_id = person.id
        and topic_off.topic_id = ${topicId}`,
  ]
}

function doNotRemind({ reminds }: EligibilityRules): RawBuilder<unknown>[] {
  if (!reminds) return []
  return [
    sql`left join do_not_remind on do_not_remind.subject_id = person.id
        and do_not_remind.message_id = ${reminds.messageId}`,
  ]
}

/**
 * Everybody who has got as many messages of the category as they may, or may have, or is about to, whatever the channels.
 * Messages that begin at the same moment see one another because they take turns (`takeCapTurn`).
 */
function frequencyCapJoin(spec: EligibilityRules): RawBuilder<unknown>[] {
  const cap = capOf(spec)
  if (!cap) return []
  return [
    sql`left join (
        select told.subject_id from message
        join wave on wave.message_id = message.id and wave.started_at > now() - make_interval(days => ${cap.days}::int)
        join delivery as told on told.wave_id = wave.id and told.state in ('pending', 'sent', 'unknown')
        where message.category_id = ${spec.categoryId}
        group by told.subject_id having count(distinct message.id) >= ${cap.n}
      ) as capped on capped.subject_id = person.id`,
  ]
}

/** The cap that holds for a wave, if any does. */
export function capOf({ layer, reminds, frequencyCap }: EligibilityRules): FrequencyCap | null {
  return layer === 'mandatory' || reminds ? null : (frequencyCap ?? null)
}

function address(channel: Channel): RawBuilder<unknown> {
  const alias = sql.ref(`${channel}_address`)
  return sql`left join address as ${alias} on ${alias}.subject_id = person.id
        and ${alias}.channel = ${sql.lit(channel)}`
}

function preference({ categoryId, layer }: EligibilityRules, channel: Channel): RawBuilder<unknown>[] {
  if (layer === 'mandatory') return []
  const alias = sql.ref(`${channel}_off`)
  return [
    sql`left join preference as ${alias} on ${alias}.subject_id = person.id
        and ${alias}.category_id = ${categoryId} and ${alias}.channel = ${sql.lit(channel)} and not ${alias}.enabled`,
  ]
}

/**
 * Why the channel is closed to the person, null where it is open. Consent first, then what the person
 * switched off, then the address: what holds for the person comes before what holds for the channel.
 */
export function verdict(spec: EligibilityRules, channel: Channel): RawBuilder<SkipReason | null> {
  const at = sql.ref(`${channel}_address`)
  const reasons = [
    ...(spec.consentScope === null ? [] : [sql`when consent.subject_id is null then 'noConsent'`]),
    ...(spec.reminds ? [sql`when do_not_remind.subject_id is not null then 'doNotRemind'`] : []),
    ...switchedOff(spec, channel),
    ...(capOf(spec) ? [sql`when capped.subject_id is not null then 'frequency'`] : []),
    sql`when ${at}.subject_id is null then 'noAddress'`,
    sql`when ${at}.blocked_at is not null or ${at}.suppressed_at is not null then 'blocked'`,
  ]
  return sql`case ${sql.join(reasons, sql`\n          `)} end`
}

function switchedOff({ topicId, layer }: EligibilityRules, channel: Channel): RawBuilder<unknown>[] {
  if (layer === 'mandatory') return []
  const topic = topicId === null ? sql`` : sql` or topic_off.subject_id is not null`
  return [sql`when ${sql.ref(`${channel}_off`)}.subject_id is not null${topic} then 'preferenceOff'`]
}
