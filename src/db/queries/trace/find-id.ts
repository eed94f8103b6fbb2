import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../connect.ts'
import { shownState } from '../shown-state.ts'

/** What an id, a key or a name belongs to. */
export const foundKinds = [
  'message',
  'wave',
  'call',
  'turn',
  'scenario',
  'scenarioStart',
  'pattern',
  'schedule',
  'occurrence',
  'event',
  'eventBinding',
  'channelEvent',
  'handoff',
  'template',
  'group',
  'topic',
  'callback',
  'callbackDelivery',
  'import',
  'notice',
  'unit',
  'person',
  'producerKey',
] as const

export type FoundKind = (typeof foundKinds)[number]

export type IdMatch = {
  kind: FoundKind
  id: string
  at: Date
  /** The unit that has it; null: none, or none yet. */
  unit: string | null
  state: string | null
  /** What it is part of, or has made: the message of a wave, the run of a turn; null: nothing. */
  of: string | null
}

/** Rows with the columns of `IdMatch`; `unit_id` in place of the unit's name. */
type IdSearch = RawBuilder<unknown>

/**
 * Everything that has this name: an id of Carillon, or a key or id that a producer, a channel or the assistant gave. `id`:
 * the name if it has the form of an id. Each search uses an index, or reads a small table.
 */
export async function findNamed(
  db: Db,
  { named, id }: { named: string; id: string | null },
): Promise<IdMatch[]> {
  return read(db, [...(id === null ? [] : searchesOfId(id)), ...searchesOfName(named)])
}

/**
 * The calls, turns, messages and runs that a provider, or a service that shows traces, knows by this name: a retry key, a
 * request id, the id of a trace. No index holds these, since each would be written with every call: the tables are read.
 */
export async function findByProvider(
  db: Db,
  { named, id }: { named: string; id: string | null },
): Promise<IdMatch[]> {
  const traced = /^[0-9a-f]{32}$/.test(named) ? searchesOfTrace(`%-${named}-%`) : []
  return read(db, [
    sql`select 'call', null, coalesce(first_try_at, wave.created_at), message.unit_id,
        call.state || ', ' || cardinality(subject_ids) || ' recipients', wave.message_id::text
      from call join wave on wave.id = call.wave_id left join message on message.id = wave.message_id
      where request_id = ${named} or retry_key = ${id}::uuid`,
    sql`select 'turn', id::text, created_at, unit_id, state, coalesce(run_id, handoff_id)::text
      from turn where request_id = ${named} or retry_key = ${id}::uuid`,
    ...traced,
  ])
}

function searchesOfTrace(pattern: string): IdSearch[] {
  return [
    sql`select 'message', id::text, created_at, unit_id, ${shownState('message')}, null from message where traceparent like ${pattern}`,
    sql`select 'turn', id::text, created_at, unit_id, state, id::text
      from scenario_run where traceparent like ${pattern}`,
  ]
}

function searchesOfId(id: string): IdSearch[] {
  return [
    sql`select 'message', id::text, created_at, unit_id, ${shownState('message')}, null from message where id = ${id}`,
    sql`select 'wave', wave.id::text, wave.created_at, unit_id, wave.state, message_id::text
      from wave left join message on message.id = message_id where wave.id = ${id}`,
    sql`select 'scenario', id::text, created_at, unit_id, state, null from scenario where id = ${id}`,
    sql`select 'scenarioStart', start.id::text, start.created_at, unit_id, null, scenario_id::text
      from scenario_start as start join scenario on scenario.id = scenario_id where start.id = ${id}`,
    sql`select 'pattern', id::text, created_at, unit_id, type, scenario_id::text from pattern where id = ${id}`,
    sql`select 'schedule', id::text, created_at, unit_id, state, null from schedule where id = ${id}`,
    sql`select 'occurrence', occurrence.id::text, occurrence.at, unit_id, outcome, message_id::text
      from occurrence join schedule on schedule.id = schedule_id where occurrence.id = ${id}`,
    eventsWhere(sql`id = ${id}`),
    sql`select 'eventBinding', id::text, created_at, unit_id, null, null from event_binding where id = ${id}`,
    channelEventsWhere(sql`id = ${id}`),
    sql`select 'template', id::text, created_at, unit_id, null, null from template where id = ${id}`,
    sql`select 'group', id::text, created_at, unit_id, kind, null from subject_group where id = ${id}`,
    sql`select 'topic', id::text, created_at, unit_id, status, null from topic where id = ${id}`,
    sql`select 'callback', id::text, created_at, unit_id, disabled_reason, null from callback where id = ${id}`,
    sql`select 'callbackDelivery', delivery.id::text, at, unit_id, outcome, coalesce(message_id, run_id, object_id)::text
      from callback_delivery as delivery join callback on callback.id = callback_id where delivery.id = ${id}`,
    sql`select 'import', id::text, created_at, unit_id, state, null from import where id = ${id}`,
    sql`select 'notice', id::text, created_at, null, state,
        coalesce(message_id, binding_id, template_id, scenario_id, schedule_id)::text from notice where id = ${id}`,
    sql`select 'notice', id::text, created_at, null, state, coalesce(message_id, start_id, scenario_id)::text from author_notice where id = ${id}`,
    sql`select 'notice', id::text, created_at, null, state, handoff_id::text from handoff_notice where id = ${id}`,
    sql`select 'unit', id::text, created_at, id, null, null from unit where id = ${id}`,
    sql`select 'person', id::text, created_at, null, null, null from person where id = ${id}`,
  ]
}

function searchesOfName(named: string): IdSearch[] {
  return [
    sql`select 'message', id::text, created_at, unit_id, ${shownState('message')}, null from message where idempotency_key = ${named}`,
    // Unit by unit, since the index of references begins with the unit.
    sql`select 'message', newest.id::text, newest.created_at, unit.id, newest.state, null
      from unit, lateral (select id, created_at, ${shownState('message')} as state from message
        where unit_id = unit.id and reference = ${named} order by id desc limit 20) as newest`,
    sql`select 'schedule', id::text, created_at, unit_id, state, null from schedule where idempotency_key = ${named}`,
    sql`select 'scenarioStart', start.id::text, start.created_at, unit_id, null, scenario_id::text
      from scenario_start as start join scenario on scenario.id = scenario_id where idempotency_key = ${named}`,
    sql`select 'handoff', handoff.id::text, opened_at, unit_id, end_reason, handoff.id::text
      from handoff where conversation_id = ${named}
        or id in (select handoff_id from handoff_message where idempotency_key = ${named})`,
    eventsWhere(sql`event_id = ${named}`),
    channelEventsWhere(sql`event_id = ${named}`),
    sql`select 'producerKey', id, created_at, unit_id, case when revoked_at is not null then 'revoked' end, null
      from producer_key where id = ${named}`,
  ]
}

function eventsWhere(condition: RawBuilder<unknown>): IdSearch {
  return sql`select 'event', id::text, received_at, unit_id,
      coalesce(error, runs || ' runs', case when message_id is null then 'undecided' else 'message' end), message_id::text
    from event where ${condition}`
}

function channelEventsWhere(condition: RawBuilder<unknown>): IdSearch {
  return sql`select 'channelEvent', id::text, received_at, null, type || ', ' || coalesce(outcome, 'not applied yet'), (
      select run_id::text from scenario_answer as answer where answer.webhook_event_id = webhook_event.id
      union all select id::text from scenario_run as run where run.started_by_webhook = webhook_event.id
      union all select handoff_id::text from handoff_message as message where message.webhook_event_id = webhook_event.id
      limit 1)
    from webhook_event where ${condition}`
}

async function read(db: Db, searches: IdSearch[]): Promise<IdMatch[]> {
  const { rows } = await sql<IdMatch>`
    select match.kind, match.id, at, unit.name as unit, state, "of"
    from (${sql.join(searches, sql` union `)}) as match (kind, id, at, unit_id, state, "of")
      left join unit on unit.id = unit_id
    order by at, match.kind, match.id`.execute(db)
  return rows
}

export type NamedRecord = {
  kind: 'message' | 'run' | 'handoff'
  id: string
  at: Date
  unit: string
  state: string
}

/** The newest messages, runs and handoffs of a person, of each at most this many. */
export async function recordsOfSubject(db: Db, subjectId: string, limit: number): Promise<NamedRecord[]> {
  const { rows } = await sql<NamedRecord>`
    select newest.kind, newest.id, at, unit.name as unit, state
    from (
      (select 'message' as kind, message.id, coalesce(wave.started_at, wave.created_at) as at, unit_id, ${shownState('message')} as state
        from wave join message on message.id = wave.message_id
        where wave.id = any(array(select wave_id from delivery where subject_id = ${subjectId})) and wave.number = 0
        order by wave.id desc limit ${limit})
      union all
      (select 'run', id, created_at, unit_id, state from scenario_run
        where subject_id = ${subjectId} order by id desc limit ${limit})
      union all
      (select 'handoff', id, opened_at, unit_id, coalesce(end_reason, 'open') from handoff
        where subject_id = ${subjectId} order by id desc limit ${limit})
    ) as newest join unit on unit.id = newest.unit_id
    order by at, newest.id`.execute(db)
  return rows
}
