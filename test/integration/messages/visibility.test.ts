import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageListQuery } from '../../../src/contract/messages/list.ts'
import { insertTopic } from '../../../src/db/queries/catalogue/topic.ts'
import type { Principal } from '../../../src/domain/principal.ts'
import { listCategories } from '../../../src/services/categories.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { cancelMessage } from '../../../src/services/messages/cancel.ts'
import { dryRun } from '../../../src/services/messages/dry-run.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { getMessage } from '../../../src/services/messages/get.ts'
import { listMessages } from '../../../src/services/messages/list.ts'
import { pauseMessage, resumeMessage } from '../../../src/services/messages/pause.ts'
import { rejectMessage } from '../../../src/services/messages/reject.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { getTemplate } from '../../../src/services/templates/templates.ts'
import { getUnit } from '../../../src/services/unit.ts'
import {
  codeOf,
  createDraft,
  createSubmitted,
  type MessageFixture,
  makeMessageFixture,
  makeTemplate,
} from '../../fixtures/message-fixture.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

let fresh: FreshDatabase
let fixture: MessageFixture
beforeAll(async () => {
  fresh = await freshDatabase()
  fixture = await makeMessageFixture(fresh.db)
})
afterAll(() => fresh.drop())

describe('another unit', () => {
  it('cannot tell a message from an unknown one, whatever it tries', async () => {
    const id = await createSubmitted(fixture)
    const { services } = fixture
    for (const by of [fixture.otherProducer, fixture.otherApprover]) {
      const tries = [
        getMessage(services, by, id),
        dryRun(services, by, id),
        editMessage(services, by, id, { kind: 'broadcast' }),
        submitMessage(services, by, id),
        approveMessage(services, by, id),
        rejectMessage(services, by, id, { reason: 'x' }),
        cancelMessage(services, by, id),
        pauseMessage(services, by, id),
        resumeMessage(services, by, id),
      ]
      expect(await Promise.all(tries.map(codeOf))).toEqual(tries.map(() => 'not_found'))
      expect((await listMessages(services, by, query())).items).toEqual([])
    }
  })

  it('sees neither its unit nor its templates', async () => {
    const template = await makeTemplate(fixture)
    expect(await codeOf(getTemplate(fixture.services, fixture.otherProducer, template))).toBe('not_found')
    expect(await codeOf(getUnit(fixture.services, fixture.otherProducer, fixture.unit.id))).toBe('not_found')
  })
})

describe('the text of a personal message', () => {
  it('is shown to its author and to approvers, to nobody else of the unit', async () => {
    const author = { ...fixture.producer, keyId: 'author', individualTargeting: true }
    const audience = { kind: 'individual' as const, uids: ['student-1'] }
    const id = await createDraft(fixture, { audience }, author)
    const contentFor = async (by: Principal) => {
      const { kind, content } = await getMessage(fixture.services, by, id)
      expect(kind).toBe('personal')
      return content
    }
    expect(await contentFor(author)).not.toBeNull()
    expect(await contentFor(fixture.approver)).not.toBeNull()
    expect(await contentFor(fixture.editor)).toBeNull()
    expect(await contentFor(fixture.producer)).toBeNull()
  })

  it('does not stand in the title that the others see: they see its category', async () => {
    const author = { ...fixture.producer, keyId: 'author', individualTargeting: true }
    const audience = { kind: 'individual' as const, uids: ['student-1'] }
    const messages = [{ kind: 'text' as const, text: { 'zh-TW': '您的成績：61 分' } }]
    const id = await createDraft(fixture, { audience, messages }, author)
    const titlesFor = async (by: Principal) => {
      const [item] = (await listMessages(fixture.services, by, query({ limit: 1 }))).items
      return [(await getMessage(fixture.services, by, id)).title, item!.title]
    }
    for (const by of [author, fixture.approver])
      expect(await titlesFor(by)).toEqual([messages[0]!.text, messages[0]!.text])
    for (const by of [fixture.editor, fixture.producer])
      expect(JSON.stringify(await titlesFor(by))).not.toContain('61')
  })
})

describe('a unit', () => {
  it('shows its members with their roles and this month’s ledger', async () => {
    const unit = await getUnit(fixture.services, fixture.editor, fixture.unit.id)
    expect(unit).toMatchObject({ name: 'Registry', kind: 'ordinary' })
    expect(unit.members).toContainEqual({
      id: fixture.both.personId,
      name: 'Both',
      roles: ['approver', 'editor'],
    })
    expect(unit.ledger).toContainEqual(
      expect.objectContaining({ channel: 'chat', limit: 1_000, committed: 0, threshold: 'ok' }),
    )
  })
})

describe('categories', () => {
  it('are listed when they are enabled, page by page', async () => {
    const first = await listCategories(fixture.services, { limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(['auto', 'mail'])
    const rest = await listCategories(fixture.services, { cursor: first.nextCursor!, limit: 2 })
    expect(rest).toMatchObject({ items: [{ id: 'manual', approval_rule: 'manual' }], nextCursor: null })
  })
})

function query(parts: Partial<MessageListQuery> = {}): MessageListQuery {
  return { limit: 50, order: 'newest', ...parts }
}

describe('the list of messages', () => {
  let lone: MessageFixture
  const ids: string[] = []
  let another: FreshDatabase
  beforeAll(async () => {
    another = await freshDatabase()
    lone = await makeMessageFixture(another.db)
    for (let n = 0; n < 5; n++) ids.push(await createDraft(lone))
    await submitMessage(lone.services, lone.producer, ids[2]!)
  })
  afterAll(() => another.drop())

  const list = async (parts: Partial<MessageListQuery> = {}) => {
    const page = await listMessages(lone.services, lone.editor, query(parts))
    return { ids: page.items.map(({ id }) => id), nextCursor: page.nextCursor }
  }

  it('goes from the newest to the oldest, or the other way round', async () => {
    expect(await list()).toEqual({ ids: ids.toReversed(), nextCursor: null })
    expect((await list({ order: 'oldest' })).ids).toEqual(ids)
  })

  it('is read page by page, without gap or repetition', async () => {
    for (const order of ['newest', 'oldest'] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await list({ order, limit: 2, cursor })
        seen.push(...page.ids)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(seen).toEqual((await list({ order })).ids)
    }
  })

  it('filters by state, category, topic and time', async () => {
    expect((await list({ state: ['submitted', 'approved'] })).ids).toEqual([ids[2]])
    expect((await list({ categoryId: 'auto' })).ids).toEqual([])
    const topicId = await insertTopic(another.db, { unitId: lone.unit.id, name: { 'zh-TW': '社團' } })
    await editMessage(lone.services, lone.producer, ids[0]!, { topicId })
    expect((await list({ topicId })).ids).toEqual([ids[0]])
    expect((await list({ topicId: 'no id' })).ids).toEqual([])
    const { createdAt } = await getMessage(lone.services, lone.producer, ids[3]!)
    expect((await list({ createdAfter: createdAt })).ids).toEqual([ids[4]])
  })

  it('refuses a cursor that is none of ours', async () => {
    expect(await codeOf(list({ cursor: 'nonsense' }))).toBe('validation_error')
  })

  it('says of each item what its detail says', async () => {
    const { items } = await listMessages(lone.services, lone.approver, query({ state: ['submitted'] }))
    const detail = await getMessage(lone.services, lone.approver, ids[2]!)
    expect(detail).toMatchObject(items[0]!)
    expect(items[0]).toMatchObject({
      title: { 'zh-TW': '註冊今天截止' },
      recipients: { total: 10 },
      allowed: { approve: true },
    })
  })
})
