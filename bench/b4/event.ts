import { createHmac, randomUUID } from 'node:crypto'
import { call } from '../../dev/demo/send.ts'
import type { SystemEvent } from '../../src/contract/events/event.ts'
import type { Template } from '../../src/contract/templates/template.ts'
import { insertCategory } from '../../src/db/queries/catalogue/category.ts'
import type { Request } from '../http/load.ts'
import type { BenchInstallation } from '../installation.ts'
import { eventSource } from '../names.ts'
import { uidOf } from '../people.ts'

const categoryId = 'bench-event'
const type = 'talk.announced'

/** An event about the nth person, from 1 on. */
export function eventOf(nth = 1): SystemEvent {
  return {
    eventId: randomUUID(),
    type,
    occurredAt: new Date().toISOString(),
    subjectUids: [uidOf(nth)],
    data: { day: 'Saturday' },
  }
}

/** The request that sends such an event, signed now. */
export function signedEvent({ id, secret }: { id: string; secret: string }, nth = 1): Request {
  const body = JSON.stringify(eventOf(nth))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-service-key-id': id,
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${digest}`,
  }
  return { path: `/v1/events/${eventSource}`, headers, body }
}

/** Binds these events to an approved template in a category that is approved automatically. */
export async function bindEvents({ db, environment, credentials }: BenchInstallation): Promise<void> {
  await insertCategory(db, {
    id: categoryId,
    name: { 'zh-TW': '演講', en: 'Talks' },
    layer: 'service',
    channelPlan: { mode: 'all', channels: ['chat'] },
    approvalRule: 'auto',
    autoMaxRecipients: 1,
  })
  const { api } = environment.addresses
  const producer = { api, key: credentials.key }
  const { id } = await call<Template>(producer, 'POST', '/v1/templates', {
    name: 'Talk',
    categoryId,
    messages: [
      { kind: 'text', text: { 'zh-TW': '{{ day }}有一場演講。', en: 'There is a talk on {{ day }}.' } },
    ],
    variables: [{ name: 'day', required: true }],
  })
  await call({ api, session: credentials.session }, 'POST', `/v1/templates/${id}/approve`)
  const audience = { kind: 'event_subjects' }
  await call(producer, 'POST', '/v1/event-bindings', {
    ...{ source: eventSource, type, categoryId, templateId: id, audience },
  })
}
