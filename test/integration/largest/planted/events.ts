import { sql } from 'kysely'
import type { Api } from '../../../fixtures/api.ts'
import { idOf, many, most, type Planting } from './plant.ts'

type Person = { subjectId: string; address: string }

/** Very many bindings, events of each outcome, webhook events of one address, pictures, imports, and lines in one import. */
export async function plantEvents(trx: Planting, api: Api, person: Person) {
  const bindings = await plantBindings(trx, api.units.a, api.templates.approved)
  const eventId = await plantRecorded(trx, api.units.a)
  await plantWebhooks(trx, person)
  return { ...bindings, eventId, ...(await plantMedia(trx, api.units.a)), ...(await plantImports(trx)) }
}

/** One has very many versions; of the others, half wait for an approver. */
async function plantBindings(trx: Planting, unit: string, templateId: string) {
  const columns = sql`(binding_id, version, state, source, type, category_id, template_id, audience, enabled, created_by, authors)`
  await sql`
    with binding as (
      insert into event_binding (unit_id) select ${unit} from generate_series(1, ${most('bindings')}::int) returning id)
    insert into event_binding_version ${columns}
    select id, 1, case when right(id::text, 1) < '8' then 'in_force' else 'submitted' end, 'planted', id::text, 'manual', ${templateId},
      '{"kind":"event_subjects"}', true, 'key:planted', '{key:planted}'
    from binding`.execute(trx)
  const { rows } = await sql<{ id: string }>`
    select binding_id as id from event_binding_version where state = 'submitted' limit 2`.execute(trx)
  const id = await idOf(
    trx,
    sql<{ id: string }>`insert into event_binding (unit_id) values (${unit}) returning id`,
  )
  await sql`
    insert into event_binding_version ${columns}
    select ${id}, n, case n when ${most('bindingVersions')}::int then 'in_force' else 'replaced' end, 'sis', 'course.moved', 'news', ${templateId},
      '{"kind":"event_subjects"}', true, 'key:planted', '{key:planted}'
    from generate_series(1, ${most('bindingVersions')}::int) n`.execute(trx)
  return { bindingId: id, waitingBindingId: rows[0]!.id, otherWaitingBindingId: rows[1]!.id }
}

/** Of one source and type: very many that made messages, that failed, and that wait to be settled. */
async function plantRecorded(trx: Planting, unit: string): Promise<string> {
  const columns = sql`(source, event_id, type, occurred_at, subject_uids, data, key_id, next_try_at, unit_id, runs, error)`
  const insert = (name: string, unitId: string | null, runs: number | null, error: string | null) => sql`
    insert into event ${columns}
    select 'sis', ${name} || n, 'course.moved', now(), '{s1}', '{"day":"Saturday"}', 'new', now() + interval '1 hour',
      ${unitId}::uuid, ${runs}::int, ${error}
    from generate_series(1, ${many}::int) n`
  await insert('made-', unit, 1, null).execute(trx)
  await insert('failed-', null, null, 'no_subjects').execute(trx)
  await insert('waiting-', null, null, null).execute(trx)
  await sql`
    insert into event (source, event_id, type, occurred_at, subject_uids, data, key_id, next_try_at, unit_id, runs)
    select 'planted', type, type, now(), '{s1}', '{}', 'new', now(), ${unit}, 1
    from event_binding_version where source = 'planted'`.execute(trx)
  await sql`
    insert into event_signature (digest, source, event_ids, received_at)
    select sha256(n::text::bytea), 'sis', '{}', now() - interval '1 hour' from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  return idOf(trx, sql<{ id: string }>`select id from event where event_id = 'failed-1'`)
}

/** Very many applied events of one person, and very many that wait, of one address. */
async function plantWebhooks(trx: Planting, { subjectId, address }: Person): Promise<void> {
  const payload = JSON.stringify({ type: 'message', message: { type: 'text', text: '你好' } })
  await sql`
    insert into webhook_event (channel, event_id, type, address, subject_id, occurred_at, payload, outcome, done_at)
    select 'chat', 'of-' || subject_id, 'message', address, case when address < 'U8' then subject_id end,
      now() - interval '1 day', ${payload}, 'recorded', now()
    from address where channel = 'chat'`.execute(trx)
  await sql`
    insert into webhook_event (channel, event_id, type, address, subject_id, occurred_at, payload, outcome, done_at)
    select 'chat', 'done-' || n, 'message', ${address}, ${subjectId}, now() - interval '1 day', ${payload}, 'recorded', now()
    from generate_series(1, ${many}::int) n`.execute(trx)
  // Its triggers keep the first event of each address.
  await sql`set local session_replication_role = origin`.execute(trx)
  await sql`
    insert into webhook_event (channel, event_id, type, address, occurred_at, payload)
    select 'chat', 'waiting-' || n, 'message', 'U' || md5('busy'), now(), ${payload}
    from generate_series(1, ${many}::int) n`.execute(trx)
  await sql`set local session_replication_role = replica`.execute(trx)
}

/** Pictures of a unit, as many as it may have. */
async function plantMedia(trx: Planting, unit: string) {
  await sql`
    insert into media (unit_id, token, type, width, height, store, created_by, stored_at)
    select ${unit}, lpad(n::text, 22, '0'), 'image/jpeg', 60, 40, 'postgres', 'key:planted', clock_timestamp()
    from generate_series(1, ${most('media')}::int) n`.execute(trx)
  const mediaId = await idOf(trx, sql<{ id: string }>`select id from media limit 1`)
  return { mediaId }
}

async function plantImports(trx: Planting) {
  const unit = await idOf(trx, sql<{ id: string }>`select id from unit where kind = 'administrative'`)
  await sql`
    insert into import (unit_id, actor, format, state)
    select ${unit}, 'key:planted', 'csv', 'completed' from generate_series(1, ${many}::int)`.execute(trx)
  const importId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into import (unit_id, actor, format, state, lines, rejected)
      values (${unit}, 'key:planted', 'csv', 'queued', ${2 * many}, ${many}) returning id`,
  )
  await sql`
    insert into import_refusal (import_id, line, reason)
    select ${importId}, ${many} + n, 'is missing' from generate_series(1, ${many}::int) n`.execute(trx)
  await sql`
    insert into import_chunk (import_id, number, lines)
    select ${importId}, n, jsonb_build_array(jsonb_build_object('line', n, 'text', 'uid-' || n))
    from generate_series(1, 1000) n`.execute(trx)
  return { importId }
}
