import { describe, expect, it } from 'vitest'
import { editMessage } from '../../../src/services/messages/edit.ts'
import {
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  makeTemplate,
  read,
} from '../../fixtures/message-fixture.ts'

const { fresh, fixture } = forMessages()

describe('editing', () => {
  const edit = (id: string, patch: Parameters<typeof editMessage>[3], ifMatch?: number) =>
    editMessage(fixture.services, fixture.editor, id, patch, { ifMatch })

  it('replaces what is named and keeps the rest', async () => {
    const scheduleAt = new Date(Date.now() + 3_600_000).toISOString()
    const id = await createDraft(fixture, { scheduleAt })
    const messages = [{ kind: 'text' as const, text: { 'zh-TW': '改了' } }]
    expect(await edit(id, { messages })).toEqual({ state: 'draft', version: 2 })
    expect(await read(fixture, id)).toMatchObject({
      title: { 'zh-TW': '改了' },
      content: { messages },
      scheduleAt,
      categoryId: 'manual',
    })
  })

  it('removes an optional field with null', async () => {
    const id = await createDraft(fixture, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    await edit(id, { expiresAt: null })
    expect((await read(fixture, id)).expiresAt).toBeNull()
  })

  it('keeps whom a reminder goes to until the reminder is removed', async () => {
    const [remindAt, later] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
    const id = await createDraft(fixture, { remindAt })
    expect((await read(fixture, id)).remindTo).toBe('all')
    await edit(id, { remindTo: 'unanswered' })
    await edit(id, { remindAt: later })
    expect(await read(fixture, id)).toMatchObject({ remindAt: later, remindTo: 'unanswered' })
    await edit(id, { remindAt: null })
    expect(await read(fixture, id)).toMatchObject({ remindAt: null, remindTo: null })
    expect(await codeOf(edit(id, { remindTo: 'unanswered' }))).toBe('validation_error')
    await edit(id, { remindAt })
    expect((await read(fixture, id)).remindTo).toBe('all')
  })

  it('changes between messages and a template', async () => {
    const templateId = await makeTemplate(fixture)
    const id = await createDraft(fixture)
    await edit(id, { templateId, variables: { course: 'a', room: 'b' } })
    expect((await read(fixture, id)).template?.id).toBe(templateId)
    expect(await codeOf(edit(id, { variables: { course: 'a' } }))).toBe('missing_variable')
    await edit(id, { messages: [{ kind: 'text', text: { 'zh-TW': '又改' } }] })
    expect(await read(fixture, id)).toMatchObject({ template: null, content: { variables: null } })
  })

  it('holds the result to what a new message must hold', async () => {
    const id = await createDraft(fixture)
    expect(await codeOf(edit(id, { categoryId: 'unknown' }))).toBe('not_found')
    const expiresAt = new Date(Date.now() - 1_000).toISOString()
    expect(await codeOf(edit(id, { expiresAt }))).toBe('validation_error')
  })

  it('can make a message to any audience personal, and take that back', async () => {
    const id = await createDraft(fixture)
    await edit(id, { kind: 'personal' })
    expect((await read(fixture, id)).kind).toBe('personal')
    await edit(id, { kind: 'broadcast' })
    expect((await read(fixture, id)).kind).toBe('broadcast')
  })

  it('from individuals to others makes it a broadcast, and the reverse personal, unless given', async () => {
    const key = { ...fixture.producer, individualTargeting: true }
    const by = (id: string, patch: Parameters<typeof edit>[1]) =>
      editMessage(fixture.services, key, id, patch)
    const named = { kind: 'individual' as const, uids: ['student-1'] }
    const students = { kind: 'query' as const, roles: ['student' as const] }
    const id = await createDraft(fixture)
    await by(id, { audience: named })
    expect((await read(fixture, id)).kind).toBe('personal')
    await by(id, { audience: students })
    expect((await read(fixture, id)).kind).toBe('broadcast')
    await by(id, { audience: named, kind: 'broadcast' })
    await by(id, { audience: { ...named, uids: ['student-2'] } })
    expect((await read(fixture, id)).kind).toBe('broadcast')
  })

  it('honours If-Match', async () => {
    const id = await createDraft(fixture)
    await edit(id, { categoryId: 'auto' }, 1)
    expect(await codeOf(edit(id, { kind: 'broadcast' }, 1))).toBe('invalid_transition')
  })

  it('leaves the draft without a run, and the stored hash unchanged', async () => {
    const id = await createDraft(fixture)
    const columns = ['version', 'observed_version', 'body_hash'] as const
    const row = () =>
      fresh.db.selectFrom('message').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
    const before = await row()
    await edit(id, { categoryId: 'auto' })
    expect(await row()).toEqual({ version: 2, observed_version: 2, body_hash: before.body_hash })
  })

  it('ends at submit', async () => {
    const id = await createSubmitted(fixture)
    expect(await codeOf(edit(id, { kind: 'broadcast' }))).toBe('invalid_transition')
  })
})
