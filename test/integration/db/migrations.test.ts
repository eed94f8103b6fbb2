import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as schema from '../../../src/db/migrations/0001_schema.ts'
import * as bindingVersions from '../../../src/db/migrations/0003_binding_versions.ts'
import { findBindingInForce } from '../../../src/db/queries/event/binding.ts'
import { seedCategory, seedUnit } from '../../fixtures/seed.ts'
import { databaseWithoutSchema, type FreshDatabase } from '../../harness/database.ts'

/** An installation that stands is migrated: the rows of before keep what keeps it working. */
let database: FreshDatabase
beforeEach(async () => {
  database = await databaseWithoutSchema()
  await schema.up(database.db as never)
})
afterEach(() => database.drop())

describe('bindings of before versions', () => {
  it('are in force as they are, and count as approved', async () => {
    const { db } = database
    const unit = await seedUnit(db, 'Admissions')
    await seedCategory(db, 'news')
    await sql`
      insert into event_binding (unit_id, source, type, category_id, audience, key_ids, enabled) values
        (${unit}, 'sis', 'x', 'news', '{"kind": "query", "roles": ["student"]}', '{k}', true),
        (${unit}, 'sis', 'x', 'news', '{"kind": "event_subjects"}', null, false)`.execute(db)
    await sql`
      insert into audit (unit_id, actor, action, object_kind, object_id)
      select ${unit}, 'key:' || change, change, 'event_binding', id::text
      from event_binding, unnest(array['create', 'edit', 'replay']) as change where enabled`.execute(db)

    await bindingVersions.up(db as never)
    const found = await findBindingInForce(db, { source: 'sis', type: 'x', key_id: 'k' })
    expect(found).toMatchObject({ unit_id: unit, version: 1, audience: { kind: 'query' }, authors: [] })
    const versions = await db
      .selectFrom('event_binding_version')
      .select(['state', 'enabled', 'key_ids', 'created_by', 'decided_by'])
      .orderBy('enabled', 'desc')
      .execute()
    expect(versions).toEqual([
      { state: 'in_force', enabled: true, key_ids: ['k'], created_by: 'key:edit', decided_by: null },
      { state: 'in_force', enabled: false, key_ids: null, created_by: 'system:run', decided_by: null },
    ])
  })
})
