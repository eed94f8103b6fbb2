import { sql } from 'kysely'
import type { Api } from '../../../fixtures/api.ts'
import { idOf, many, type Planting } from './plant.ts'

/** Everybody has a chat and a mail address; one person has had very many addresses, consents and choices. */
export async function plantPeople(trx: Planting, api: Api) {
  await sql`
    with person as (
      insert into subject (uid, roles, stage, tags, moved_at)
      select 'person-' || n, '{student}', 'member', array['interest:music'], now() - interval '1 day'
      from generate_series(1, ${many}::int) n returning id, uid)
    insert into address (subject_id, channel, address)
    select id, channel, case channel when 'chat' then 'U' || md5(uid) else uid || '@example.edu' end
    from person, unnest(array['chat', 'email']) channel`.execute(trx)
  const uid = 'person-1'
  const subjectId = await idOf(trx, sql<{ id: string }>`select id from subject where uid = ${uid}`)
  const { rows } = await sql<{ address: string }>`
    select address from address where subject_id = ${subjectId} and channel = 'chat'`.execute(trx)
  await plantChoices(trx, subjectId)
  await sql`
    insert into contact (unit_id, subject_id, first_on, last_on)
    select ${api.units.a}, id, current_date - 30, current_date - 6 from subject`.execute(trx)
  await sql`
    insert into erasure (subject_id, message_ids) select uuidv7(), '{}' from generate_series(1, ${many}::int)`.execute(
    trx,
  )
  await sql`
    insert into suppression (channel, hash, why, server)
    select 'email', sha256(n::text::bytea), 'bounce', 'mail.example.edu' from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  return { uid, subjectId, address: rows[0]!.address }
}

async function plantChoices(trx: Planting, subjectId: string): Promise<void> {
  await sql`
    insert into preference (subject_id, category_id, channel, enabled)
    select ${subjectId}, id, channel, false from category, unnest(array['chat', 'email']) channel`.execute(
    trx,
  )
  await sql`
    insert into topic_unsubscribe (subject_id, topic_id) select ${subjectId}, id from topic`.execute(trx)
  await sql`
    insert into consent (subject_id, scope, version, source)
    select ${subjectId}, 'scope-' || n, '1', 'form' from generate_series(1, 200) n`.execute(trx)
  await sql`
    insert into consent_history (subject_id, scope, version, source, what)
    select ${subjectId}, 'scope-1', n::text, 'form', 'granted' from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  await sql`
    insert into former_address (subject_id, channel, hash)
    select ${subjectId}, 'chat', sha256(n::text::bytea) from generate_series(1, ${many}::int) n`.execute(trx)
}
