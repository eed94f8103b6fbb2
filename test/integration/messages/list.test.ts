import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MessageListQuery } from '../../../src/contract/messages/list.ts'
import { insertTopic } from '../../../src/db/queries/catalogue/topic.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { getMessage, listMessages } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { codeOf, createDraft, listQuery, makeMessageFixture } from '../../fixtures/message-fixture.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

describe('the list of messages', () => {
  const ids: string[] = []
  const database = forFile(freshDatabase)
  const fixture = forFile(() => makeMessageFixture(database.db))
  beforeAll(async () => {
    for (let n = 0; n < 5; n++) ids.push(await createDraft(fixture))
    // Two drafts may be created within the same millisecond; the last one is a second later.
    await database.db
      .updateTable('message')
      .set({ created_at: sql<Date>`created_at + interval '1 second'` })
      .where('id', '=', ids[4]!)
      .execute()
    await submitMessage(fixture.services, fixture.producer, ids[2]!)
  })

  const list = async (parts: Partial<MessageListQuery> = {}) => {
    const page = await listMessages(fixture.services, fixture.editor, listQuery(parts))
    return { ids: page.items.map(({ id }) => id), nextCursor: page.nextCursor }
  }

  it('sorts from newest to oldest, or in reverse', async () => {
    expect(await list()).toEqual({ ids: ids.toReversed(), nextCursor: null })
    expect((await list({ order: 'oldest' })).ids).toEqual(ids)
  })

  it('is read page by page, without gap or repetition', async () => {
    for (const order of ['newest', 'oldest'] as const) {
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const page = await list({ order, limit: 2, cursor })
        ids.push(...page.ids)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(ids).toEqual((await list({ order })).ids)
    }
  })

  it('filters by state, category, topic and time', async () => {
    expect((await list({ state: ['submitted', 'approved'] })).ids).toEqual([ids[2]])
    expect((await list({ categoryId: 'auto' })).ids).toEqual([])
    const topicId = await insertTopic(database.db, { unitId: fixture.unit.id, name: { 'zh-TW': '社團' } })
    await editMessage(fixture.services, fixture.producer, ids[0]!, { topicId })
    expect((await list({ topicId })).ids).toEqual([ids[0]])
    expect((await list({ topicId: 'no id' })).ids).toEqual([])
    const { createdAt } = await getMessage(fixture.services, fixture.producer, ids[3]!)
    expect((await list({ createdAfter: createdAt })).ids).toEqual([ids[4]])
    expect((await list({ createdBefore: createdAt })).ids).toEqual(ids.slice(0, 3).toReversed())
  })

  it('rejects an invalid cursor', async () => {
    expect(await codeOf(list({ cursor: 'nonsense' }))).toBe('validation_error')
  })

  it('shows the same fields as the detail', async () => {
    const { items } = await listMessages(
      fixture.services,
      fixture.approver,
      listQuery({ state: ['submitted'] }),
    )
    const detail = await getMessage(fixture.services, fixture.approver, ids[2]!)
    expect(detail).toMatchObject(items[0]!)
    expect(items[0]).toMatchObject({
      title: { 'zh-TW': '註冊今天截止' },
      recipients: { total: 10 },
      allowed: { approve: { allowed: true } },
    })
  })
})
