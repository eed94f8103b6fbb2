import { describe, expect, it } from 'vitest'
import { adapters } from '../../../src/channels/index.ts'
import { startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() =>
  startApi({ services: { channels: adapters, publicUrl: 'https://hub.example.edu' } }),
)

async function draft(body: object = {}, key = api.keys.a): Promise<string> {
  return (await createMessage(api, body, { key })).body.id
}

function preview(id: string, body: object = { channel: 'chat' }, as: object = { key: api.keys.a }) {
  return api.call('previewMessage', { ...as, id, body })
}

const fromTemplate = (day: string) => ({
  messages: undefined,
  templateId: api.templates.approved,
  variables: { day },
})

it('shows a draft as it would be frozen, in the provider’s messages and in our own', async () => {
  const id = await draft(fromTemplate('週六'))
  const { body } = await preview(id)
  expect(body).toEqual({
    channel: 'chat',
    locale: 'zh-TW',
    messages: [{ kind: 'text', text: { 'zh-TW': '開放日：週六' } }],
    violations: [],
    calls: [[{ type: 'text', text: '開放日：週六' }]],
  })
})

it('shows from submit on what was frozen, whatever happens to the template', async () => {
  const id = await draft(fromTemplate('週六'))
  await api.call('submitMessage', { key: api.keys.a, id })
  const { db } = api.database
  const changed = JSON.stringify([{ kind: 'text', text: { 'zh-TW': '不同' } }])
  await updateRows(db, 'template_version', { template_id: api.templates.approved }, { messages: changed })
  expect((await preview(id)).body.calls).toEqual([[{ type: 'text', text: '開放日：週六' }]])
})

it('shows a mail in the reader’s language, with links that do nothing', async () => {
  const text = { 'zh-TW': '要來嗎？', en: 'Will you come?' }
  const options = [{ id: 'yes', label: { 'zh-TW': '會', en: 'Yes' } }]
  const id = await draft({ categoryId: 'mail', messages: [{ kind: 'quickReply', text, options }] })
  const { body } = await preview(id, { channel: 'email', locale: 'en' })
  expect(body.subject).toBe('Will you come?')
  expect(body.text).toContain('→ Yes\nhttps://hub.example.edu/l/sample\n')
  expect(body.html).toContain('href="https://hub.example.edu/l/sample"')
})

describe('with a reminder', () => {
  const remindAt = '2099-12-01T01:00:00Z'
  const seenIn = async (body: object, channel: 'chat' | 'email') => {
    const id = await draft(body)
    const before = (await preview(id, { channel, locale: 'en' })).body
    await api.call('submitMessage', { key: api.keys.a, id })
    return { before, after: (await preview(id, { channel, locale: 'en' })).body }
  }

  it('shows what the phone gets first and as the reminder, which offers nothing to decline', async () => {
    const { before, after } = await seenIn({ remindAt, scheduleAt: '2099-11-30T01:00:00Z' }, 'chat')
    expect(JSON.stringify(before.calls)).toContain('Do not remind me')
    expect(before.reminder.calls).toEqual([[{ type: 'text', text: expect.any(String) }]])
    expect(after).toEqual(before)
  })

  it('shows its mail with its own subject', async () => {
    const { before, after } = await seenIn({ remindAt, categoryId: 'mail' }, 'email')
    expect(before.text).toContain('Do not remind me')
    expect(before.reminder.subject).toBe(`Reminder: ${before.subject}`)
    for (const part of ['text', 'html']) expect(before.reminder[part]).not.toContain('remind me')
    expect(after).toEqual(before)
  })

  it('shows the message itself for one that was submitted before reminders had their own content', async () => {
    const id = await draft({ remindAt })
    await api.call('submitMessage', { key: api.keys.a, id })
    await updateRows(api.database.db, 'message_content', { message_id: id }, { compiled_reminder: null })
    const { body } = await preview(id)
    expect(body.reminder).toEqual({ calls: body.calls })
  })
})

it('shows what the channel cannot carry, beside the preview', async () => {
  const id = await draft({ messages: [{ kind: 'text', text: { 'zh-TW': 'x'.repeat(5_001) } }] })
  expect((await preview(id)).body.violations[0]).toMatchObject({ path: 'messages[0].text.zh-TW' })
})

it('rejects a channel that the message does not use', async () => {
  const { code, body } = await preview(await draft(), { channel: 'email' })
  expect(code).toBe('validation_error')
  expect(body.error.details.issues[0].path).toBe('channel')
})

it('shows a personal message to its author and to approvers only', async () => {
  const audience = { kind: 'individual', uids: ['s1'] }
  const id = await draft({ audience }, api.keys.individual)
  const { sessions, keys } = api
  const codeFor = async (as: object) => (await preview(id, { channel: 'chat' }, as)).code
  expect(await codeFor({ key: keys.individual })).toBeNull()
  expect(await codeFor({ session: sessions.approver })).toBeNull()
  expect(await codeFor({ session: sessions.editor })).toBe('forbidden')
  expect(await codeFor({ key: keys.a })).toBe('forbidden')
  expect(await codeFor({ key: keys.b })).toBe('not_found')
})

it('changes nothing', async () => {
  const id = await draft()
  const before = (await api.call('getMessage', { key: api.keys.a, id })).body
  await preview(id)
  expect((await api.call('getMessage', { key: api.keys.a, id })).body).toEqual(before)
})
