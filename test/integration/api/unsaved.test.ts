import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { createMessage, newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const dryRun = (parts: object = {}, as: CallOptions = { key: api.keys.a }) =>
  api.call('dryRunUnsaved', { ...as, body: { ...newMessage, ...parts } })
const preview = (parts: object = {}, query = { channel: 'chat', locale: 'zh-TW' }) =>
  api.call('previewUnsaved', { key: api.keys.a, query, body: { ...newMessage, ...parts } })

/** Its buttons name a message that does not exist. */
const withoutIds = (answer: object) =>
  JSON.stringify(answer).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')

async function rows(): Promise<number> {
  const { db } = api.database
  const counted = await Promise.all(
    (['message', 'message_content', 'audit'] as const).map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as('rows'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return counted.reduce((sum, { rows: count }) => sum + Number(count), 0)
}

describe('a message that is not stored', () => {
  it.each([
    ['as it is', {}],
    ['with a reminder', { scheduleAt: '2037-01-01T00:00:00Z', remindAt: '2037-01-02T00:00:00Z' }],
    ['to nobody', { audience: { kind: 'query', tags: ['nobody has it'] } }],
    [
      'with text that a channel cannot carry',
      { messages: [{ kind: 'text', text: { 'zh-TW': '字'.repeat(5_001) } }] },
    ],
  ])('has the dry-run and the preview of the draft that it would be, %s', async (_, parts) => {
    const { body: draft, status } = await createMessage(api, parts)
    const asDraft = { key: api.keys.a, id: draft.id }
    const view = { channel: 'chat', locale: 'zh-TW' }
    const before = await rows()
    if (status === 201) {
      expect((await dryRun(parts)).body).toEqual((await api.call('dryRunMessage', asDraft)).body)
      const { body } = await api.call('previewMessage', { ...asDraft, body: view })
      expect(withoutIds((await preview(parts)).body)).toEqual(withoutIds(body))
    } else expect((await dryRun(parts)).body).toEqual(draft)
    expect(await rows()).toBe(before)
  })

  it.each([
    ['another category', { categoryId: 'unknown' }],
    ['another channel', { channelPlanOverride: { channels: ['email'] } }],
    ['named people, by a key without the right', { audience: { kind: 'individual', uids: ['s1'] } }],
    ['an expiry before its send', { scheduleAt: '2037-01-02T00:00:00Z', expiresAt: '2037-01-01T00:00:00Z' }],
    ['a variable of no template', { variables: { day: 'x' } }],
  ])('is refused as create refuses it: %s', async (_, parts) => {
    const created = await createMessage(api, parts)
    const [run, page] = [await dryRun(parts), await preview(parts)]
    expect([run.status, run.code]).toEqual([created.status === 201 ? 200 : created.status, created.code])
    if (created.status !== 201) expect([page.status, page.code]).toEqual([created.status, created.code])
  })

  it('is shown on a channel of its plan alone, and to its unit', async () => {
    expect((await preview({}, { channel: 'email', locale: 'en' })).code).toBe('validation_error')
    const session = { session: api.sessions.editor }
    expect((await dryRun({}, session)).status).toBe(200)
    expect((await dryRun({}, { session: api.sessions.stranger })).status).toBeGreaterThanOrEqual(400)
    expect((await api.call('dryRunUnsaved', { body: newMessage })).status).toBe(401)
  })
})
