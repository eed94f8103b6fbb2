import { sql } from 'kysely'
import { insertCategory } from '../../../../src/db/queries/catalogue/category.ts'
import { type Signing, signatureHeaders } from '../../../fixtures/signed-event.ts'
import type { Api, Installation } from './installation.ts'
import { type Answer, type Call, call, type PlannedMessage } from './producer.ts'

const keyId = 'faults'
const secret = 'a secret of the faults'
const binding = { source: 'registry', type: 'course.moved' }
const categoryId = 'moved'

/** The settings of API processes for the installation's events. */
export const takesEvents = { EVENT_SIGNING_KEYS: `${keyId}:${secret}`, RATE_LIMIT_PER_MINUTE: '0' }

/** Creates an automatic category and an approved template with the event's text; returns its id. */
export async function setUpEvents(installation: Installation, api: Api): Promise<string> {
  await insertCategory(installation.db, {
    id: categoryId,
    name: { 'zh-TW': '異動', en: 'Moved' },
    layer: 'service',
    channelPlan: { mode: 'first_available', channels: ['chat'] },
    approvalRule: 'auto',
    autoMaxRecipients: 100,
  })
  const template = await post(installation, api, '/v1/templates', {
    name: 'Moved',
    categoryId,
    messages: [{ kind: 'text', text: { 'zh-TW': '{{ text }}' } }],
    variables: [{ name: 'text', required: true }],
  })
  await sql`update template_version set state = 'approved' where template_id = ${template.id}`.execute(
    installation.db,
  )
  return template.id
}

/** Binds the installation's events to a template. */
export async function bindEvents(installation: Installation, api: Api, templateId: string): Promise<void> {
  const audience = { kind: 'event_subjects' }
  await post(installation, api, '/v1/event-bindings', { ...binding, categoryId, templateId, audience })
}

async function post(installation: Installation, api: Api, path: string, body: object) {
  const headers = {
    authorization: `Bearer ${installation.credentials.key}`,
    'content-type': 'application/json',
  }
  const answer = await fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

/** Sends the event that makes a planned message; its key is the event's id. */
export async function sendSignedEvent(
  api: Api,
  planned: PlannedMessage,
  signing: Signing = {},
  send: Call = call,
): Promise<Answer> {
  const { crowd, key: eventId, body } = planned
  const first = body.messages?.[0]
  const raw = JSON.stringify({
    eventId,
    type: binding.type,
    occurredAt: '2026-11-20T09:00:00+08:00',
    subjectUids: crowd.recipients.map((_, n) => `${crowd.tag}-${n + 1}`),
    data: { text: first?.kind === 'text' ? first.text['zh-TW'] : '' },
  })
  const headers = signatureHeaders(raw, { keyId, secret, ...signing })
  const answer = await send(`${api.url}/v1/events/${binding.source}`, { method: 'POST', headers, body: raw })
  if (answer.body?.messageId) planned.id = answer.body.messageId
  return answer
}

/** The outcome of a planned message's event; undefined if it is not recorded. */
export async function eventOf({ db }: Installation, { key }: PlannedMessage) {
  return db
    .selectFrom('event')
    .select(['message_id as messageId', 'error'])
    .where('event_id', '=', key)
    .executeTakeFirst()
}

/** Messages that events have made. */
export async function madeByEvents({ db }: Installation): Promise<number> {
  const rows = await db.selectFrom('message').select('id').where('origin', '=', 'event').execute()
  return rows.length
}
