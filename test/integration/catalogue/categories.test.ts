import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCategories } from '../../../src/services/catalogue/categories.ts'
import { type MessageFixture, makeMessageFixture } from '../../fixtures/message-fixture.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

let fresh: FreshDatabase
let fixture: MessageFixture
beforeAll(async () => {
  fresh = await freshDatabase()
  fixture = await makeMessageFixture(fresh.db)
})
afterAll(() => fresh.drop())

describe('categories', () => {
  it('are listed when they are enabled, page by page', async () => {
    const first = await listCategories(fixture.services, { limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(['auto', 'mail'])
    const rest = await listCategories(fixture.services, { cursor: first.nextCursor!, limit: 2 })
    expect(rest).toMatchObject({ items: [{ id: 'manual', approval_rule: 'manual' }], nextCursor: null })
  })
})
