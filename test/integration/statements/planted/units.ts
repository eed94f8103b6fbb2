import { sql } from 'kysely'
import type { Trx } from '../../../../src/db/connect.ts'
import { perKey } from './people.ts'

/** What waits in a unit, of each kind: far less than there is. */
export const waiting = 10
/** How many of what has a bound: versions, schedules. */
const bounded = 20

export type PlantedUnit = {
  callbackId: string
  source: string
  handoffId: string
  scheduleId: string
  address: string
  subjectId: string
}

const anHourAgo = sql`now() - interval '1 hour'`

/** A unit with very many messages, reported changes, events, handoffs and occurrences, of which a few wait. */
export async function plantUnit(trx: Trx, unitId: string): Promise<PlantedUnit> {
  await plantMessages(trx, unitId)
  const person = await somebody(trx)
  const [callbackId, scheduleId] = [await plantCallback(trx, unitId), await plantSchedules(trx, unitId)]
  const source = await plantEvents(trx, unitId)
  const handoffId = await plantHandoffs(trx, unitId, person.subjectId)
  await plantTurns(trx, unitId, person)
  return { callbackId, scheduleId, source, handoffId, ...person }
}

async function plantMessages(trx: Trx, unitId: string): Promise<void> {
  await sql`
    insert into message (unit_id, origin, category_id, title, audience, channel_plan, created_by, state, version, observed_version,
      changed_at, closed_at, reference, next_wakeup_at)
    select ${unitId}, 'api', 'news', '{"zh-TW":"校園開放日"}', '{"kind":"all"}', '{"mode":"all","channels":["email"]}', 'key:planted',
      case when n > ${waiting}::int then 'sent' else 'submitted' end, 3, case when n > ${waiting}::int then 3 else 2 end, ${anHourAgo},
      case when n > ${waiting}::int then ${anHourAgo} end, 'reference-' || n, case when n <= ${waiting}::int then ${anHourAgo} end
    from generate_series(1, ${perKey}::int) n`.execute(trx)
  await sql`
    insert into wave_metric (wave_id, message_id, unit_id, number, date, sent, reached, read, reminded)
    select uuidv7(), id, unit_id, 0, current_date - 400 + (row_number() over (order by id) / 10)::int, 1, 1, 1, false
    from message where unit_id = ${unitId} and state <> 'sending'`.execute(trx)
}

/** A person whose webhook events and turns are those of one key. */
async function somebody(trx: Trx): Promise<{ subjectId: string; address: string }> {
  const person = await sql<{ id: string }>`
    insert into subject (uid, moved_at) values (uuidv7()::text, null) returning id`.execute(trx)
  const subjectId = person.rows[0]!.id
  const address = `U${subjectId.replaceAll('-', '')}`
  await sql`insert into address (subject_id, channel, address) values (${subjectId}, 'chat', ${address})`.execute(
    trx,
  )
  await sql`
    insert into webhook_event (channel, event_id, type, address, subject_id, occurred_at, payload, outcome, done_at)
    select 'chat', uuidv7()::text, 'message', ${address}, ${subjectId}, ${anHourAgo}, '{}', 'recorded', ${anHourAgo}
    from generate_series(1, ${perKey}::int) n`.execute(trx)
  return { subjectId, address }
}

async function plantCallback(trx: Trx, unitId: string): Promise<string> {
  const types = [
    'message.state_changed',
    'message.answered',
    'message.answer_counts',
    'delivery.failed',
    'run.ended',
    'run.answered',
  ]
  const key = await sql<{ id: string }>`
    insert into producer_key (id, unit_id, name, secret_hash, individual_targeting)
    values (right(replace(${unitId}, '-', ''), 12), ${unitId}, 'Key', '\\x00', true) returning id`.execute(
    trx,
  )
  const callback = await sql<{ id: string }>`
    insert into callback (unit_id, url, types, secret, created_by, url_by)
    values (${unitId}, 'https://hooks.example.edu/', ${types}, '\\x00', 'key:planted', ${`key:${key.rows[0]!.id}`}) returning id`.execute(
    trx,
  )
  const callbackId = callback.rows[0]!.id
  await sql`
    insert into callback_delivery (callback_id, message_id, type, state, version, outcome)
    select ${callbackId}, id, 'message.state_changed', 'sent', 4, 'delivered' from message where unit_id = ${unitId}`.execute(
    trx,
  )
  await sql`
    insert into callback_delivery (callback_id, message_id, type, state, version, outcome, next_try_at)
    select ${callbackId}, id, 'message.state_changed', 'submitted', 4, 'pending', ${anHourAgo} from message
    where unit_id = ${unitId} and state = 'submitted'`.execute(trx)
  return callbackId
}

async function plantSchedules(trx: Trx, unitId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into schedule (unit_id, name, type, cron, time_zone, category_id, message, state, acts_for, authors, created_by, next_at,
      observed_version, idempotency_key)
    select ${unitId}, 'Schedule', 'recurring', '0 9 * * *', 'Asia/Taipei', 'news', '{}', 'active', 'key:planted', '{key:planted}', 'key:planted',
      now() + interval '1 day', 1, n::text
    from generate_series(1, ${bounded}::int) n returning id`.execute(trx)
  const scheduleId = rows[0]!.id
  await sql`
    insert into occurrence (schedule_id, key, due_at, plan, outcome, runs)
    select ${scheduleId}, n::text, now(), 1, 'created', 1 from generate_series(1, ${perKey}::int) n`.execute(
    trx,
  )
  return scheduleId
}

/** Events of one source and type; a few of them failed. */
async function plantEvents(trx: Trx, unitId: string): Promise<string> {
  const source = `sis-${unitId}`
  await sql`
    insert into event (source, event_id, type, occurred_at, subject_uids, data, key_id, next_try_at, unit_id, runs, error)
    select ${source}, n::text, 'course.moved', now(), '{s1}', '{"day":"Saturday"}', 'key', now(), case when n > ${waiting}::int then ${unitId}::uuid end,
      case when n > ${waiting}::int then 1 end, case when n <= ${waiting}::int then 'no_subjects' end
    from generate_series(1, ${perKey}::int) n`.execute(trx)
  const binding = await sql<{
    id: string
  }>`insert into event_binding (unit_id) values (${unitId}) returning id`.execute(trx)
  await sql`
    insert into event_binding_version (binding_id, version, state, source, type, category_id, audience, enabled, created_by, authors)
    select ${binding.rows[0]!.id}, n, case n when ${bounded}::int then 'in_force' else 'replaced' end, ${source}, 'course.moved', 'news',
      '{"kind":"event_subjects"}', true, 'key:planted', '{}' from generate_series(1, ${bounded}::int) n`.execute(
    trx,
  )
  const template = await sql<{ id: string }>`
    insert into template (unit_id, category_id, name) values (${unitId}, 'news', 'Template') returning id`.execute(
    trx,
  )
  await sql`
    insert into template_version (template_id, version, state, messages, created_by)
    select ${template.rows[0]!.id}, n, case n when ${bounded}::int then 'draft' else 'rejected' end, '[]', 'key:planted'
    from generate_series(1, ${bounded}::int) n`.execute(trx)
  return source
}

/** Handoffs, a few of them open, one of which is long. */
async function plantHandoffs(trx: Trx, unitId: string, subjectId: string): Promise<string> {
  await sql`
    insert into handoff (unit_id, conversation_id, channel_user, opened_at, closed_at, closed_by, end_reason, spoken_at)
    select ${unitId}, uuidv7()::text, uuidv7()::text, now() - n * interval '1 hour', case when n > ${waiting}::int then now() end,
      case when n > ${waiting}::int then 'key:planted' end, case when n > ${waiting}::int then 'closed' end, now()
    from generate_series(1, ${perKey}::int) n`.execute(trx)
  const { rows } = await sql<{ id: string }>`
    insert into handoff (unit_id, subject_id, conversation_id, channel_user)
    values (${unitId}, ${subjectId}, uuidv7()::text, uuidv7()::text) returning id`.execute(trx)
  const handoffId = rows[0]!.id
  await sql`
    insert into turn (handoff_id, number, first_node, last_node, unit_id, answers_person, locale, says, state, closed_at)
    select ${handoffId}, n, '', '', ${unitId}, false, 'zh-TW', '[]', 'sent', now()
    from generate_series(1, ${waiting}::int) n`.execute(trx)
  await sql`
    insert into handoff_message (handoff_id, text, webhook_event_id)
    select ${handoffId}, '您好', uuidv7() from generate_series(1, ${perKey}::int) n`.execute(trx)
  await sql`
    insert into handoff_message (handoff_id, text, turn_id, idempotency_key, actor, body_hash)
    select ${handoffId}, null, id, number::text, 'person:' || uuidv7(), '\\x00' from turn where handoff_id = ${handoffId}`.execute(
    trx,
  )
  return handoffId
}

/** A turn of each run. */
async function plantTurns(trx: Trx, unitId: string, { subjectId }: { subjectId: string }): Promise<void> {
  await sql`
    insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says, state, channel, by,
      address, closed_at, first_try_at)
    select id, 1, 'ask', 'ask', subject_id, unit_id, false, 'zh-TW', '[{"node":"ask","messages":[]}]', 'sent', 'chat', 'push', ${subjectId},
      ${anHourAgo}, ${anHourAgo}
    from scenario_run where unit_id = ${unitId}`.execute(trx)
}
