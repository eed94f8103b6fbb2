import { type RawBuilder, sql } from 'kysely'
import type { Channel, Layer, RemindTo } from '../../../contract/enums.ts'
import type { SkipReason } from '../../../domain/audience/audience.ts'

/**
 * What a wave reminds of, and whom. It excludes people to whom that was not sent, people who opted out of the reminder,
 * and, `to` the unanswered, people who answered any question of the message.
 */
export type ReminderOf = { messageId: string; firstWaveId: string; to: RemindTo }

/** A person gets at most `n` messages of a category within `days` days. A conversation that others begin counts as one. */
export type FrequencyCap = { messages: number; days: number }

/** The rules of a message's category and topic that decide whether a person may be sent to on a channel. */
export type EligibilityRules = {
  categoryId: string
  /** `mandatory` ignores preferences and topics, never consent or a block. */
  layer: Layer
  consentScope: string | null
  topicId: string | null
  /** For a reminder: what it reminds of. */
  reminds?: ReminderOf | null
  /** Applied when deliveries are written. Exempt: reminders, whose message is already counted, and `mandatory`. */
  frequencyCap?: FrequencyCap | null
}

/**
 * The joins that `verdict` reads, on people in scope as `person (id)`: left joins on primary keys, at most one row
 * each, so that Postgres hashes a million people instead of looking them up one by one.
 */
export function eligibilityJoins(spec: EligibilityRules, channels: readonly Channel[]): RawBuilder<unknown> {
  const joins = channels.flatMap((channel) => [
    address(channel),
    suppression(channel),
    ...preference(spec, channel),
  ])
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
 * People who have reached the cap: messages of the category that were, may have been or are about to be sent to them,
 * on any channel, and runs of its scenarios that others began and that have spoken or are about to
 * (docs/design/conversations.md). Messages that start at the same moment see one another because they
 * take turns (`lockFrequencyCap`).
 */
function frequencyCapJoin(spec: EligibilityRules): RawBuilder<unknown>[] {
  const cap = capOf(spec)
  if (!cap) return []
  return [
    sql`left join (
        select earlier.subject_id from (
          select delivery.subject_id, message.id from message
          join wave on wave.message_id = message.id and wave.started_at > now() - make_interval(days => ${cap.days}::int)
          join delivery on delivery.wave_id = wave.id and delivery.state in ('pending', 'sent', 'unknown')
          where message.category_id = ${spec.categoryId}
          union all
          select run.subject_id, run.id from scenario_version as version
          join scenario_run as run on run.scenario_id = version.scenario_id and run.version_number = version.version
            and run.id > (select uuidv7(make_interval(days => -${cap.days}::int)))
            and run.created_at > now() - make_interval(days => ${cap.days}::int)
          where version.category_id = ${spec.categoryId} and not run.test and run.jumps = 0
            and run.started_by not like 'recipient:%' and (run.closed_at is null or exists (
              select from turn where turn.run_id = run.id and turn.state in ('sent', 'unknown') and turn.by is distinct from 'page'))
        ) as earlier
        group by earlier.subject_id having count(distinct earlier.id) >= ${cap.messages}
      ) as capped on capped.subject_id = person.id`,
  ]
}

/** The frequency cap that applies to a wave, if any. */
export function capOf({ layer, reminds, frequencyCap }: EligibilityRules): FrequencyCap | null {
  return layer === 'mandatory' || reminds ? null : (frequencyCap ?? null)
}

function address(channel: Channel): RawBuilder<unknown> {
  const alias = sql.ref(`${channel}_address`)
  return sql`left join address as ${alias} on ${alias}.subject_id = person.id
        and ${alias}.channel = ${sql.lit(channel)}`
}

/** An address that has no hash is not suppressed. */
function suppression(channel: Channel): RawBuilder<unknown> {
  const alias = sql.ref(`${channel}_suppression`)
  return sql`left join suppression as ${alias} on ${alias}.channel = ${sql.lit(channel)}
        and ${alias}.hash = ${sql.ref(`${channel}_address`)}.hash`
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
 * Why the person may not be sent to on the channel; null if they may. Reasons about the person come before reasons
 * about the channel: first consent, then opt-outs, then the address.
 */
export function verdict(spec: EligibilityRules, channel: Channel): RawBuilder<SkipReason | null> {
  const at = sql.ref(`${channel}_address`)
  const suppressed = sql.ref(`${channel}_suppression`)
  const reasons = [
    ...(spec.consentScope === null ? [] : [sql`when consent.subject_id is null then 'noConsent'`]),
    ...(spec.reminds ? [sql`when do_not_remind.subject_id is not null then 'doNotRemind'`] : []),
    ...answered(spec),
    ...switchedOff(spec, channel),
    ...(capOf(spec) ? [sql`when capped.subject_id is not null then 'frequency'`] : []),
    sql`when ${at}.subject_id is null then 'noAddress'`,
    sql`when ${at}.blocked_at is not null or ${suppressed}.hash is not null then 'blocked'`,
  ]
  return sql`case ${sql.join(reasons, sql`\n          `)} end`
}

/** A lookup rather than a join: an answer is a row for each question, and few batches need those of all people. */
function answered({ reminds }: EligibilityRules): RawBuilder<unknown>[] {
  if (reminds?.to !== 'unanswered') return []
  return [
    sql`when exists (select from message_answer where message_answer.message_id = ${reminds.messageId}
          and message_answer.subject_id = person.id) then 'answered'`,
  ]
}

function switchedOff({ topicId, layer }: EligibilityRules, channel: Channel): RawBuilder<unknown>[] {
  if (layer === 'mandatory') return []
  const topic = topicId === null ? sql`` : sql` or topic_off.subject_id is not null`
  return [sql`when ${sql.ref(`${channel}_off`)}.subject_id is not null${topic} then 'preferenceOff'`]
}
