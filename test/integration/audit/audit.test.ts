import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

let messageId: string
const api = forFile(startApi)
beforeAll(async () => {
  messageId = await newSubmitted()
})

async function newSubmitted(): Promise<string> {
  const headers = { 'idempotency-key': Math.random().toString() }
  const body = { ...newMessage, categoryId: 'manual' }
  const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
  await api.call('submitMessage', { session: api.sessions.editor, id })
  return id
}

/** As the approver of unit a by default. */
async function audit(query: Record<string, string> = {}, session = api.sessions.approver) {
  return api.call('listAudit', { session, query })
}

const actions = (body: { items: { action: string }[] }) => body.items.map(({ action }) => action)

describe('the audit log of a unit', () => {
  it('shows who did what to which object, newest first', async () => {
    const { body } = await audit({ objectKind: 'message', objectId: messageId })
    expect(body.items).toMatchObject([
      { action: 'submit', by: { name: 'Editor' }, fromState: 'draft', toState: 'submitted', version: 2 },
      { action: 'create', by: { name: 'test' }, unitId: api.units.a, toState: 'draft' },
    ])
  })

  it('can be filtered by actor', async () => {
    const { body } = await audit({ objectId: messageId })
    const editor = body.items[0].by.id
    const { items } = (await audit({ actor: editor })).body
    expect(new Set(items.map(({ by }: { by: { id: string } }) => by.id))).toEqual(new Set([editor]))
  })

  it('can be filtered by time, including its start and excluding its end', async () => {
    const { items } = (await audit({ objectId: messageId })).body
    const [last, first] = items.map(({ at }: { at: string }) => at)
    const after = new Date(Date.parse(last) + 1).toISOString()
    expect(actions((await audit({ objectId: messageId, from: first, to: after })).body)).toEqual([
      'submit',
      'create',
    ])
    expect(actions((await audit({ objectId: messageId, from: after })).body)).toEqual([])
    expect(actions((await audit({ objectId: messageId, to: first })).body)).toEqual([])
  })

  it('is paged without gaps, even with many rows of one instant', async () => {
    const { db } = api.database
    const at = new Date('2026-01-01T00:00:00Z')
    const row = { at, unit_id: api.units.a, actor: 'system:run', object_kind: 'unit', object_id: 'same' }
    await db
      .insertInto('audit')
      .values(Array.from({ length: 25 }, (_, n) => ({ ...row, action: `step ${n}` })))
      .execute()
    const all: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await audit({ objectId: 'same', limit: '10', ...(cursor && { cursor }) })
      all.push(...actions(body))
      cursor = body.nextCursor
    }
    expect(all).toEqual(Array.from({ length: 25 }, (_, n) => `step ${24 - n}`))
  })

  it('is hidden from other units, and rejects the cursor of another list', async () => {
    const { body } = await audit({ objectId: messageId }, api.sessions.otherApprover)
    expect(body.items).toEqual([])
    for (const cursor of ['nonsense', Buffer.from("1' or true").toString('base64url')])
      expect((await audit({ cursor })).code).toBe('validation_error')
  })

  it('holds rows without a unit too, for system administrators only', async () => {
    expect((await audit({ scope: 'installation' })).code).toBe('forbidden')
    const { db } = api.database
    await db.updateTable('person').set({ system_admin: true }).where('name', '=', 'Stranger').execute()
    const { body } = await audit({ scope: 'installation' }, api.sessions.stranger)
    expect(body.items[0]).toMatchObject({ action: 'create', objectKind: 'session', unitId: null })
    expect((await audit({}, api.sessions.stranger)).code).toBe('forbidden')
  })
})

it.each([
  ['a unit', "unit_id = '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'", 'audit_unit'],
  ['an object', "object_kind = 'message' and object_id = 'x'", 'audit_object'],
  ['a person', "actor = 'person:x' and actor like 'person:%'", 'audit_person'],
])('what was done in %s is found by an index', async (_what, condition, index) => {
  const { rows } = await sqlWithoutScans(
    `explain select * from audit where ${condition} order by at desc, id desc limit 51`,
  )
  expect(JSON.stringify(rows)).toContain(index)
})

async function sqlWithoutScans(text: string) {
  return api.database.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    return sql.raw(text).execute(trx)
  })
}
