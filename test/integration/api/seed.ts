import type { Role, UnitKind } from '../../../src/contract/enums.ts'
import type { Db } from '../../../src/db/connect.ts'
import type { CategoryTable } from '../../../src/db/tables.ts'

type Rules = {
  layer?: 'mandatory' | 'service'
  approval_rule?: 'manual' | 'auto'
  channels?: ('chat' | 'email')[]
}

export async function seedUnit(db: Db, name: string, kind: UnitKind = 'ordinary'): Promise<string> {
  const { id } = await db.insertInto('unit').values({ name, kind }).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Categories, topics, templates; a chat quota of 100 for the unit and 50 in the pool; three students to write to. */
export async function seedCatalogue(db: Db, unitId: string) {
  await seedCategory(db, 'news', { approval_rule: 'auto' })
  await seedCategory(db, 'manual')
  await seedCategory(db, 'safety', { layer: 'mandatory' })
  await seedCategory(db, 'mail', { channels: ['email'] })
  await seedQuota(db, unitId, 100, 50)
  for (const uid of ['s1', 's2', 's3']) await seedSubject(db, uid)
  return {
    topics: {
      active: await seedTopic(db, unitId, 'active'),
      inactive: await seedTopic(db, unitId, 'inactive'),
    },
    templates: {
      approved: await seedTemplate(db, unitId, 'approved'),
      draft: await seedTemplate(db, unitId, 'draft'),
    },
  }
}

export async function seedCategory(db: Db, id: string, rules: Rules = {}): Promise<void> {
  const { layer = 'service', approval_rule = 'manual', channels = ['chat'] } = rules
  const plan: CategoryTable['channel_plan']['__select__'] = { mode: 'first_available', channels }
  await db
    .insertInto('category')
    .values({
      id,
      name: JSON.stringify({ 'zh-TW': id }),
      layer,
      approval_rule,
      auto_max_recipients: 2_000,
      channel_plan: JSON.stringify(plan),
    })
    .execute()
}

export async function seedQuota(db: Db, unitId: string, unit: number, pool: number): Promise<void> {
  await db
    .insertInto('quota_default')
    .values([
      { scope: unitId, channel: 'chat', monthly_limit: unit },
      { scope: 'pool', channel: 'chat', monthly_limit: pool },
    ])
    .execute()
}

async function seedSubject(db: Db, uid: string): Promise<void> {
  const { id } = await db
    .insertInto('subject')
    .values({ uid, roles: ['student'], stage: 'member' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('address')
    .values({ subject_id: id, channel: 'chat', address: `U${uid}` })
    .execute()
}

async function seedTopic(db: Db, unitId: string, status: 'active' | 'inactive'): Promise<string> {
  const { id } = await db
    .insertInto('topic')
    .values({ unit_id: unitId, name: JSON.stringify({ 'zh-TW': status }), status })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function seedTemplate(db: Db, unitId: string, state: 'draft' | 'approved'): Promise<string> {
  const { id } = await db
    .insertInto('template')
    .values({ unit_id: unitId, category_id: 'news', name: state })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('template_version')
    .values({
      template_id: id,
      version: 1,
      state,
      messages: JSON.stringify([{ kind: 'text', text: { 'zh-TW': '開放日：{{ day }}' } }]),
      variables: JSON.stringify([{ name: 'day', required: true }]),
      created_by: 'key:seed',
    })
    .execute()
  return id
}

/** People by what they may do in unit a; `twoUnits` is an editor of both, `stranger` works nowhere. */
export async function seedPeople(db: Db, { a, b }: { a: string; b: string }) {
  return {
    editor: await seedPerson(db, 'Editor', [[a, 'editor']]),
    approver: await seedPerson(db, 'Approver', [
      [a, 'approver'],
      [a, 'editor'],
    ]),
    otherApprover: await seedPerson(db, 'Other approver', [[b, 'approver']]),
    twoUnits: await seedPerson(db, 'Two units', [
      [a, 'editor'],
      [b, 'editor'],
    ]),
    stranger: await seedPerson(db, 'Stranger', []),
  }
}

async function seedPerson(db: Db, name: string, roles: [unitId: string, role: Role][]): Promise<string> {
  const { id } = await db
    .insertInto('person')
    .values({ name, email: `${name.replaceAll(' ', '.').toLowerCase()}@example.org` })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [unitId, role] of roles)
    await db.insertInto('member').values({ unit_id: unitId, person_id: id, role }).execute()
  return id
}
