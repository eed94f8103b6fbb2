import { describe, expect, it } from 'vitest'
import { listCategories } from '../../../src/services/catalogue/categories.ts'
import { makeMessageFixture } from '../../fixtures/message-fixture.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const fresh = forFile(freshDatabase)
const fixture = forFile(() => makeMessageFixture(fresh.db))

describe('categories', () => {
  it('are listed when they are enabled, page by page', async () => {
    const first = await listCategories(fixture.services, { limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(['auto', 'mail'])
    const rest = await listCategories(fixture.services, { cursor: first.nextCursor!, limit: 2 })
    expect(rest).toMatchObject({ items: [{ id: 'manual', approval_rule: 'manual' }], nextCursor: null })
  })
})
