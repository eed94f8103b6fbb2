import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { adapters } from '../../../src/channels/index.ts'
import { startApi } from '../../fixtures/api.ts'
import { bind, newEvent, sendEvent } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startApi({ services: { channels: adapters } }))

/** A template that shows a moment, and a link around what is said, in force and bound. */
beforeAll(async () => {
  await sql`update category set channel_plan = '{"mode":"all","channels":["chat","email"]}' where id = 'news'`.execute(
    api.database.db,
  )
  const variables = [
    { name: 'day' },
    { name: 'at', required: false, default: '' },
    { name: 'link', required: false, default: 'https://example.edu/' },
  ]
  const text = { 'zh-TW': "**{{ day }}** {{ at | date: '%m/%d %H:%M' }} [詳情]({{ link }})" }
  const messages = [{ kind: 'text', format: 'light', text }]
  const body = { name: 'Light', categoryId: 'news', variables, messages }
  const { id } = (await api.call('createTemplate', { key: api.keys.a, body })).body
  await api.call('approveTemplate', { session: api.sessions.approver, id })
  await bind(api, { templateId: id })
})

/** What an event with these data comes to: the mail's two forms and the record. */
async function told(data: Record<string, unknown>) {
  const event = newEvent({ data })
  const { body: answer } = await sendEvent(api, event)
  expect(answer).toMatchObject({ accepted: true })
  const previewOn = async (channel: string) =>
    (
      await api.call('previewMessage', {
        session: api.sessions.approver,
        id: answer.messageId,
        body: { channel, locale: 'zh-TW' },
      })
    ).body
  const [preview, chat] = [await previewOn('email'), await previewOn('chat')]
  const { body: recorded } = await api.call('listRecordedEvents', {
    key: api.keys.a,
    query: { eventId: event.eventId },
  })
  const [record] = recorded.items
  const { body: message } = await api.call('getMessage', { key: api.keys.a, id: answer.messageId })
  return { preview, chat, record, message }
}

describe('the data of an event', () => {
  it('makes no link and no mark of what it contains, in chat and mail', async () => {
    const day = '[校務系統](https://evil.example/login) **x**'
    const { preview, chat, record } = await told({ day })
    expect(JSON.stringify(chat)).toContain(`${day} `)
    expect(preview.html).toContain(`<strong>${day}</strong>`)
    expect(preview.html).not.toContain('href="https://evil.example')
    expect(record.warnings).toMatchObject([
      { code: 'host_from_values', message: { en: expect.stringContaining('evil.example') } },
    ])
  })

  it('with a moment in UTC is told by the clocks of the unit', async () => {
    const { chat } = await told({ day: 'Monday', at: '2026-12-05T02:00:00Z' })
    expect(JSON.stringify(chat)).toContain('12/05 10:00')
  })

  it('with an invisible character is accepted without it, and the record says so', async () => {
    const { chat, record, message } = await told({ day: 'Mon\u200Bday' })
    expect(JSON.stringify(chat)).toContain('Monday')
    expect(record.warnings).toMatchObject([{ path: 'variables.day', code: 'invisible_dropped' }])
    expect(message.snapshot.warnings).toEqual(record.warnings)
  })

  it('with an address for the link of the author makes one that is checked', async () => {
    const { preview } = await told({ day: 'Monday', link: 'https://pay.example/a b' })
    expect(preview.html).toContain('href="https://pay.example/a%20b"')
    const event = newEvent({ data: { day: 'Monday', link: 'javascript:alert(1)' } })
    expect((await sendEvent(api, event)).body).toMatchObject({
      error: 'content_violation',
      details: { violations: [{ code: 'unsupported_link' }] },
    })
  })
})
