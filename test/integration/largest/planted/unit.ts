import { sql } from 'kysely'
import { limits } from '../../../../src/contract/limits.ts'
import type { Api } from '../../../fixtures/api.ts'
import { longText } from './long-text.ts'
import { idOf, many, most, type Planting } from './plant.ts'

/** A unit with very many members, keys, groups, topics, templates and callbacks, among many units. */
export async function plantUnit(trx: Planting, api: Api) {
  const unit = api.units.a
  await sql`
    insert into unit (name) select 'Unit ' || n from generate_series(1, 1000) n`.execute(trx)
  await sql`
    insert into category (id, name, layer, channel_plan)
    select 'category-' || n, '{"zh-TW":"類別"}', 'service', '{"mode":"all","channels":["chat","email"]}'
    from generate_series(1, 200) n`.execute(trx)
  await sql`
    insert into topic (unit_id, name) select ${unit}, jsonb_build_object('zh-TW', '主題' || n)
    from generate_series(1, 97) n`.execute(trx)
  await sql`
    update quota_default set monthly_limit = 1000000`.execute(trx)
  const credentials = await plantCredentials(trx, unit)
  const templates = await plantTemplates(trx, unit)
  return { ...credentials, ...templates, ...(await plantGroups(trx, unit)) }
}

async function plantCredentials(trx: Planting, unit: string) {
  await sql`
    insert into person (name, email)
    select 'Member ' || n, 'member-' || n || '@example.org' from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  await sql`
    insert into member (unit_id, person_id, role)
    select ${unit}, id, role from (select id from person where email like 'member-%' limit ${limits.membersPerUnit - 2}) as person,
      unnest(array['editor', 'approver']) role`.execute(trx)
  await sql`
    insert into producer_key (id, unit_id, name, secret_hash)
    select lpad(n::text, 12, '0'), ${unit}, 'Key ' || n, '\\x00' from generate_series(1, ${most('keys')}::int) n`.execute(
    trx,
  )
  await sql`
    insert into event_key (id, unit_id, name, sources, secret, created_by)
    select lpad(n::text, 12, '0'), ${unit}, 'Key ' || n, array['source-' || n], '\\x00', 'operator:cli'
    from generate_series(1, ${most('eventKeys')}::int) n`.execute(trx)
  await sql`
    insert into session (token_hash, person_id, expires_at)
    select sha256((email || n)::bytea), id, now() + interval '1 day'
    from person, generate_series(1, case email when 'approver@example.org' then ${many}::int else 1 end) n`.execute(
    trx,
  )
  await sql`
    insert into rate_window (caller, hits, admitted)
    select 'caller-' || n, array[now() - interval '1 day'], true from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  await sql`
    insert into sign_in (state_hash, browser_hash, nonce, verifier, return_to, expires_at)
    select sha256(n::text::bytea), '\\x00', '', '', '/', now() - interval '1 day'
    from generate_series(1, ${many}::int) n`.execute(trx)
  await sql`
    insert into lookup_endpoint (origin, unit_id, created_by)
    select 'https://lookup-' || n || '.example.edu', ${unit}, 'operator:cli'
    from generate_series(1, ${most('lookupEndpoints')}::int) n`.execute(trx)
  await sql`
    insert into value_name (dimension, value, name) select 'tags', 'cohort:' || n, '{"zh-TW":"級"}'
    from generate_series(1, ${most('valueNames')}::int) n`.execute(trx)
  const memberId = await idOf(
    trx,
    sql<{ id: string }>`select id from person where email = 'member-1@example.org'`,
  )
  const lookupEndpointId = await idOf(trx, sql<{ id: string }>`select id from lookup_endpoint limit 1`)
  return { memberId, lookupEndpointId }
}

/** Very many templates, one of which has very many versions, the newest as long as it may be and waiting. */
async function plantTemplates(trx: Planting, unit: string) {
  await sql`
    with template as (
      insert into template (unit_id, category_id, name) select ${unit}, 'news', 'Template ' || n
      from generate_series(1, ${most('templates')}::int) n returning id)
    insert into template_version (template_id, version, state, messages, created_by)
    select id, 1, case when right(id::text, 1) < '8' then 'approved' else 'draft' end, '[{"kind":"text","text":{"zh-TW":"開放日"}}]', 'key:planted' from template`.execute(
    trx,
  )
  const templateId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into template (unit_id, category_id, name) values (${unit}, 'category-1', 'The longest') returning id`,
  )
  const messages = JSON.stringify([{ kind: 'text', text: { 'zh-TW': longText(100_000) } }])
  await sql`
    insert into template_version (template_id, version, state, messages, created_by)
    select ${templateId}, n, case when n < ${most('templateVersions')}::int then 'rejected' else 'draft' end,
      case when n < 900 then '[{"kind":"text","text":{"zh-TW":"開放日"}}]'::jsonb else ${messages}::jsonb end, 'key:planted'
    from generate_series(1, ${most('templateVersions')}::int) n`.execute(trx)
  return { templateId }
}

/** Very many groups: one has very many members, one very many groups inside it. */
async function plantGroups(trx: Planting, unit: string) {
  const insert = (name: string) => sql<{ id: string }>`
    insert into subject_group (unit_id, name, kind, legal_basis) values (${unit}, ${name}, 'static', 'consent') returning id`
  const groupId = await idOf(trx, insert('Everybody'))
  const parentId = await idOf(trx, insert('Of groups'))
  await sql`
    insert into subject_group (unit_id, name, kind, legal_basis, parent_id)
    select ${unit}, 'Group ' || n, 'static', 'consent', ${parentId} from generate_series(1, ${most('groups')}::int) n`.execute(
    trx,
  )
  await sql`
    insert into group_change (group_id, what, actor, approver)
    select ${groupId}, 'members', 'key:planted', false from generate_series(1, ${many}::int)`.execute(trx)
  return { groupId, parentId }
}
