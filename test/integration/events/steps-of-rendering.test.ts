import { expect, it } from 'vitest'
import { serveApi, startApi } from '../../fixtures/api.ts'
import { renderingOn } from '../../fixtures/rendering.ts'
import { bind, newEvent, sendEvent, sendEvents } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

it('an event whose unit has used up its steps of rendering stays open, and makes its message later', async () => {
  const { db } = api.database
  const costly = { 'zh-TW': `{{ day }}：{% for i in (1..300) %}{{ i }}{% endfor %}` }
  const template = { name: 'Costly', categoryId: 'news', variables: [{ name: 'day' }] }
  const body = { ...template, messages: [{ kind: 'text', text: costly }] }
  const { id } = (await api.call('createTemplate', { key: api.keys.a, body })).body
  await api.call('approveTemplate', { session: api.sessions.approver, id })
  await bind(api, { templateId: id })
  const rendering = renderingOn(db, { stepsPerMinute: 1_000 })
  const app = await serveApi(db, { services: { rendering } })

  const days = ['Monday', 'Tuesday', 'Wednesday'].map((day) => newEvent({ data: { day } }))
  expect((await sendEvent(app, days[0])).body).toMatchObject({ accepted: true })
  const { status, headers, body: refused } = await sendEvents(app, days.slice(1))
  expect({ status, code: refused.error.code }).toEqual({ status: 429, code: 'rate_limited' })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  const open = await db
    .selectFrom('event')
    .select(['event_id', 'error'])
    .where('message_id', 'is', null)
    .execute()
  expect(open).toEqual([{ event_id: days[2]!.eventId, error: null }])

  const later = await serveApi(db, { services: { rendering: renderingOn(db) } })
  const { items } = (await sendEvents(later, days)).body
  const outcome = { accepted: true, messageId: expect.any(String) }
  expect(items).toMatchObject([
    { ...outcome, duplicate: true },
    { ...outcome, duplicate: true },
    { ...outcome, duplicate: false },
  ])
})
