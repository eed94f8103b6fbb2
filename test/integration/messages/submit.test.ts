import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertTopic } from '../../../src/db/queries/catalogue/topic.ts'
import { dryRun } from '../../../src/services/messages/dry-run.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { getMessage } from '../../../src/services/messages/get.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { createTemplate } from '../../../src/services/templates/templates.ts'
import {
  automaticParts,
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

const read = (id: string) => getMessage(fixture.services, fixture.producer, id)
const tooLong = { kind: 'text', text: { 'zh-TW': '長'.repeat(5_001) } } as const

describe('a dry-run', () => {
  it('answers numbers, and changes nothing', async () => {
    const id = await createDraft(fixture)
    const before = await read(id)
    expect(await dryRun(fixture.services, fixture.producer, id)).toEqual({
      recipients: {
        total: 10,
        byChannel: { chat: 10 },
        excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
        unknown: 0,
      },
      quota: { chat: { estimatedPushes: 10, unitRemaining: 1_000, poolRemaining: 0, wouldExceed: false } },
      violations: [],
    })
    expect(await read(id)).toEqual(before)
  })

  it('counts a call for every five messages', async () => {
    const messages = Array.from({ length: 6 }, () => ({ kind: 'text' as const, text: { 'zh-TW': '好' } }))
    const id = await createDraft(fixture, { messages })
    expect((await dryRun(fixture.services, fixture.producer, id)).quota.chat?.estimatedPushes).toBe(20)
  })

  it('reports what chat cannot carry, with a path into the messages', async () => {
    const id = await createDraft(fixture, { messages: [tooLong] })
    const { violations } = await dryRun(fixture.services, fixture.producer, id)
    expect(violations).toMatchObject([{ path: 'messages[0].text.zh-TW', limit: 5_000 }])
  })

  it('reports what a variable broke', async () => {
    const { id: templateId } = await createTemplate(fixture.services, fixture.producer, {
      name: 'Only a variable',
      categoryId: 'auto',
      messages: [
        { kind: 'text', text: { 'zh-TW': '{{ course }}', en: '{% for i in (1..99999999) %}x{% endfor %}' } },
      ],
      variables: [{ name: 'course', required: true }],
    })
    const id = await createDraft(fixture, {
      categoryId: 'auto',
      messages: undefined,
      templateId,
      variables: { course: '' },
    })
    const { violations } = await dryRun(fixture.services, fixture.producer, id)
    expect(violations).toMatchObject([
      { path: 'messages[0].text.en', code: 'not_renderable' },
      { path: 'messages[0].text.zh-TW', code: 'invalid' },
    ])
  })

  it('is 503 not_configured where the plan names a channel that is not set up', async () => {
    const id = await createDraft(fixture, { categoryId: 'mail' })
    expect(await codeOf(dryRun(fixture.services, fixture.producer, id))).toBe('not_configured')
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, id))).toBe('not_configured')
  })

  it('counts with the frozen content after submit, and ends when the message is closed', async () => {
    const id = await createSubmitted(fixture)
    expect((await dryRun(fixture.services, fixture.producer, id)).recipients.total).toBe(10)
    await fresh.db.updateTable('message').set({ closed_at: new Date() }).where('id', '=', id).execute()
    expect(await codeOf(dryRun(fixture.services, fixture.producer, id))).toBe('invalid_transition')
  })
})

describe('submitting', () => {
  it('freezes the rendered content, compiled for each channel, and stores the numbers', async () => {
    const templateId = await makeTemplate(fixture)
    const id = await createDraft(fixture, automaticParts(templateId))
    expect(await submitMessage(fixture.services, fixture.producer, id)).toEqual({ state: 'submitted' })

    const text = { 'zh-TW': '微積分 在 A101' }
    const detail = await read(id)
    expect(detail).toMatchObject({
      state: 'submitted',
      title: text,
      content: { messages: [{ kind: 'text', text }], variables: { course: '微積分', room: 'A101' } },
      template: { id: templateId, name: 'Course', version: 1 },
      snapshot: { recipients: { total: 10 }, violations: [] },
      recipients: { total: 10, byChannel: { chat: 10 } },
    })
    const { compiled } = await fresh.db
      .selectFrom('message_content')
      .select('compiled')
      .where('message_id', '=', id)
      .executeTakeFirstOrThrow()
    const parts = [[{ type: 'text', text: '微積分 在 A101' }]]
    expect(compiled).toEqual({ chat: { locales: { 'zh-TW': { parts }, en: { parts } } } })
  })

  it('pokes the run, named for what happened', async () => {
    const id = await createSubmitted(fixture)
    expect(fixture.pokes).toContainEqual(['message', id, 'submitted'])
  })

  it('is refused with the violations, and the draft stays', async () => {
    const id = await createDraft(fixture, { messages: [tooLong] })
    const error = await submitMessage(fixture.services, fixture.producer, id).catch((e) => e)
    expect(error).toMatchObject({
      code: 'content_violation',
      details: { violations: [{ path: 'messages[0].text.zh-TW', limit: 5_000 }] },
    })
    expect((await read(id)).state).toBe('draft')
  })

  it('is refused once the topic has become inactive or the category was switched off', async () => {
    const topicId = await insertTopic(fresh.db, { unitId: fixture.unit.id, name: { 'zh-TW': '社團' } })
    const about = await createDraft(fixture, { topicId })
    await fresh.db.updateTable('topic').set({ status: 'inactive' }).where('id', '=', topicId).execute()
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, about))).toBe('topic_inactive')

    const of = await createDraft(fixture)
    await fresh.db.updateTable('message').set({ category_id: 'off' }).where('id', '=', of).execute()
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, of))).toBe('validation_error')
  })

  it('happens once, and not after the message has expired', async () => {
    const id = await createSubmitted(fixture)
    const error = await submitMessage(fixture.services, fixture.producer, id).catch((e) => e)
    expect(error).toMatchObject({
      code: 'invalid_transition',
      details: { state: 'submitted', by: 'key:key1', at: expect.any(String) },
    })
    const late = await createDraft(fixture)
    await fresh.db
      .updateTable('message')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', late)
      .execute()
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, late))).toBe('invalid_transition')
  })

  it('is not for a key that may not use the category', async () => {
    const id = await createDraft(fixture)
    const key = { ...fixture.producer, categories: ['auto'] }
    expect(await codeOf(submitMessage(fixture.services, key, id))).toBe('category_not_allowed')
  })
})

describe('editing', () => {
  const edit = (id: string, patch: Parameters<typeof editMessage>[3], ifMatch?: number) =>
    editMessage(fixture.services, fixture.editor, id, patch, { ifMatch })

  it('replaces what is named and keeps the rest', async () => {
    const scheduleAt = new Date(Date.now() + 3_600_000).toISOString()
    const id = await createDraft(fixture, { scheduleAt })
    const messages = [{ kind: 'text' as const, text: { 'zh-TW': '改了' } }]
    expect(await edit(id, { messages })).toEqual({ state: 'draft', version: 2 })
    expect(await read(id)).toMatchObject({
      title: { 'zh-TW': '改了' },
      content: { messages },
      scheduleAt,
      categoryId: 'manual',
    })
  })

  it('takes an optional field away with null', async () => {
    const id = await createDraft(fixture, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    await edit(id, { expiresAt: null })
    expect((await read(id)).expiresAt).toBeNull()
  })

  it('changes between messages and a template', async () => {
    const templateId = await makeTemplate(fixture)
    const id = await createDraft(fixture)
    await edit(id, { templateId, variables: { course: 'a', room: 'b' } })
    expect((await read(id)).template?.id).toBe(templateId)
    expect(await codeOf(edit(id, { variables: { course: 'a' } }))).toBe('missing_variable')
    await edit(id, { messages: [{ kind: 'text', text: { 'zh-TW': '又改' } }] })
    expect(await read(id)).toMatchObject({ template: null, content: { variables: null } })
  })

  it('holds the result to what a new message must hold', async () => {
    const id = await createDraft(fixture)
    expect(await codeOf(edit(id, { categoryId: 'unknown' }))).toBe('not_found')
    expect(await codeOf(edit(id, { kind: 'personal' }))).toBe('validation_error')
    const expiresAt = new Date(Date.now() - 1_000).toISOString()
    expect(await codeOf(edit(id, { expiresAt }))).toBe('validation_error')
  })

  it('from people by name to others makes it a broadcast, and the other way round personal, unless said', async () => {
    const key = { ...fixture.producer, individualTargeting: true }
    const by = (id: string, patch: Parameters<typeof edit>[1]) =>
      editMessage(fixture.services, key, id, patch)
    const named = { kind: 'individual' as const, uids: ['student-1'] }
    const students = { kind: 'query' as const, roles: ['student' as const] }
    const id = await createDraft(fixture)
    await by(id, { audience: named })
    expect((await read(id)).kind).toBe('personal')
    await by(id, { audience: students })
    expect((await read(id)).kind).toBe('broadcast')
    await by(id, { audience: named, kind: 'broadcast' })
    await by(id, { audience: { ...named, uids: ['student-2'] } })
    expect((await read(id)).kind).toBe('broadcast')
  })

  it('honours If-Match', async () => {
    const id = await createDraft(fixture)
    await edit(id, { kind: 'broadcast' }, 1)
    expect(await codeOf(edit(id, { kind: 'broadcast' }, 1))).toBe('invalid_transition')
  })

  it('leaves the draft without a run, and the stored hash as it was', async () => {
    const id = await createDraft(fixture)
    const columns = ['version', 'acked_version', 'body_hash'] as const
    const row = () =>
      fresh.db.selectFrom('message').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
    const before = await row()
    await edit(id, { categoryId: 'auto' })
    expect(await row()).toEqual({ version: 2, acked_version: 2, body_hash: before.body_hash })
  })

  it('ends at submit', async () => {
    const id = await createSubmitted(fixture)
    expect(await codeOf(edit(id, { kind: 'broadcast' }))).toBe('invalid_transition')
  })
})
