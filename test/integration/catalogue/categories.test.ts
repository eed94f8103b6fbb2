import { describe, expect, it } from 'vitest'
import { listCategories } from '../../../src/services/catalogue/categories.ts'
import { forMessages } from '../../fixtures/message-fixture.ts'

const { fixture } = forMessages()

describe('categories', () => {
  it('are listed when they are enabled, page by page', async () => {
    const first = await listCategories(fixture.services, { limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(['auto', 'mail'])
    const rest = await listCategories(fixture.services, { cursor: first.nextCursor!, limit: 2 })
    expect(rest).toMatchObject({ items: [{ id: 'manual', approval_rule: 'manual' }], nextCursor: null })
  })
})
