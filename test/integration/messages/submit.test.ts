import { describe, expect, it } from 'vitest'
import { insertTopic } from '../../../src/db/queries/catalogue/topic.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import {
  automaticParts,
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  makeTemplate,
  read,
  tooLong,
} from '../../fixtures/message-fixture.ts'
import { selectRow, updateRows } from '../../fixtures/rows.ts'

const { fresh, fixture } = forMessages()

describe('submitting', () => {
  it('freezes the rendered content, compiled for each channel, and stores the numbers', async () => {
    const templateId = await makeTemplate(fixture)
    const id = await createDraft(fixture, automaticParts(templateId))
    expect(await submitMessage(fixture.services, fixture.producer, id)).toEqual({ state: 'submitted' })

    const text = { 'zh-TW': '微積分 在 A101' }
    const detail = await read(fixture, id)
    expect(detail).toMatchObject({
      state: 'submitted',
      title: text,
      content: { messages: [{ kind: 'text', text }], variables: { course: '微積分', room: 'A101' } },
      template: { id: templateId, name: 'Course', version: 1 },
      snapshot: { recipients: { total: 10 }, violations: [] },
      recipients: { total: 10, byChannel: { chat: 10 } },
    })
    const { compiled } = await selectRow(fresh.db, 'message_content', { message_id: id }, ['compiled'])
    const parts = [[{ type: 'text', text: '微積分 在 A101' }]]
    expect(compiled).toEqual({ chat: { locales: { 'zh-TW': { parts }, en: { parts } } } })
  })

  it('wakes the run, with the reason', async () => {
    const id = await createSubmitted(fixture)
    expect(fixture.told).toContainEqual(expect.objectContaining({ id, name: 'submitted' }))
  })

  it('is rejected with the violations, and the draft stays', async () => {
    const id = await createDraft(fixture, { messages: [tooLong] })
    const error = await submitMessage(fixture.services, fixture.producer, id).catch((e) => e)
    expect(error).toMatchObject({
      code: 'content_violation',
      details: { violations: [{ path: 'messages[0].text.zh-TW', limit: 5_000 }] },
    })
    expect((await read(fixture, id)).state).toBe('draft')
  })

  it('is rejected once the topic is inactive or the category disabled', async () => {
    const topicId = await insertTopic(fresh.db, { unitId: fixture.unit.id, name: { 'zh-TW': '社團' } })
    const about = await createDraft(fixture, { topicId })
    await fresh.db.updateTable('topic').set({ status: 'inactive' }).where('id', '=', topicId).execute()
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, about))).toBe('topic_inactive')

    const of = await createDraft(fixture)
    await fresh.db.updateTable('message').set({ category_id: 'off' }).where('id', '=', of).execute()
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, of))).toBe('validation_error')
  })

  it('is rejected if the category has become mandatory and the message has a topic', async () => {
    const topicId = await insertTopic(fresh.db, { unitId: fixture.unit.id, name: { 'zh-TW': '社團' } })
    const id = await createDraft(fixture, { topicId })
    await fresh.db.updateTable('category').set({ layer: 'mandatory' }).where('id', '=', 'manual').execute()
    try {
      const error = await submitMessage(fixture.services, fixture.producer, id).catch((e) => e)
      expect(error).toMatchObject({
        code: 'validation_error',
        details: { issues: [{ path: 'topicId' }] },
      })
    } finally {
      await fresh.db.updateTable('category').set({ layer: 'service' }).where('id', '=', 'manual').execute()
    }
  })

  it('happens once, and not after the message has expired', async () => {
    const id = await createSubmitted(fixture)
    const error = await submitMessage(fixture.services, fixture.producer, id).catch((e) => e)
    expect(error).toMatchObject({
      code: 'invalid_transition',
      details: { state: 'submitted', by: 'key:key1', at: expect.any(String) },
    })
    const late = await createDraft(fixture)
    await updateRows(fresh.db, 'message', { id: late }, { expires_at: new Date(Date.now() - 1_000) })
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, late))).toBe('invalid_transition')
  })

  it('is not for a key that may not use the category', async () => {
    const id = await createDraft(fixture)
    const key = { ...fixture.producer, categories: ['auto'] }
    expect(await codeOf(submitMessage(fixture.services, key, id))).toBe('category_not_allowed')
  })
})
