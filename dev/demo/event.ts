import { Carillon } from '../../client/src/index.ts'
import type { EventBindingPage } from '../../src/contract/events/binding.ts'
import type { CreateTemplate } from '../../src/contract/templates/template.ts'
import { categories } from './catalogue.ts'
import { type Caller, call, ensureTemplate } from './send.ts'
import { eventVariables } from './texts.ts'
import { watch } from './watch.ts'

/** The registration desk's event; its data suits both languages. */
export const demoEvent = {
  source: 'registration-desk',
  type: 'registration.confirmed',
  data: {
    event: 'Open Campus Day 2026',
    starts: '12/5 10:00',
    place: 'Central Lawn, A1',
    ticket: 'OCD-0417',
  },
}

/** The message to a person who has registered. */
export const ticketTemplate: CreateTemplate = {
  name: '報名成功 Registration confirmed',
  categoryId: categories.events.id,
  subject: { 'zh-TW': '報名成功：{{ event }}', en: 'You are registered: {{ event }}' },
  variables: [
    ...eventVariables,
    { name: 'ticket', label: { 'zh-TW': '票號', en: 'Ticket number' }, required: true },
  ],
  messages: [
    {
      kind: 'text',
      text: {
        'zh-TW':
          '您已成功報名「{{ event }}」。\n\n時間：{{ starts }}\n地點：{{ place }}\n票號：{{ ticket }}\n\n入場時請出示票號。',
        en: 'You are registered for “{{ event }}”.\n\nWhen: {{ starts }}\nWhere: {{ place }}\nTicket: {{ ticket }}\n\nPlease show the ticket number at the entrance.',
      },
    },
  ],
}

type Parts = {
  api: string
  producerKey: string
  editor: Caller
  approver: Caller
  eventKey: { id: string; secret: string }
  uid: string
}

/** Binds the demo's event and sends one event about one person. Repeated calls send no further message. */
export async function sendEventOnce({
  api,
  producerKey,
  editor,
  approver,
  eventKey,
  uid,
}: Parts): Promise<void> {
  const templateId = await ensureTemplate(editor, approver, ticketTemplate)
  const producer: Caller = { api, key: producerKey }
  await ensureBinding(producer, templateId)

  const { source, ...event } = demoEvent
  const answer = await new Carillon({ baseUrl: api, key: producerKey }).sendEvent(source, eventKey, {
    eventId: 'demo-registration',
    occurredAt: new Date().toISOString(),
    subjectUids: [uid],
    ...event,
  })
  if ('error' in answer) throw new Error(`The demo's event created no message: ${answer.error}`)
  if (answer.duplicate) return
  process.stdout.write(`  sending an event of ${source} about one person:\n`)
  if (answer.messageId !== null) await watch(producer, answer.messageId)
}

async function ensureBinding(producer: Caller, templateId: string): Promise<void> {
  const { source, type } = demoEvent
  const { items } = await call<EventBindingPage>(producer, 'GET', '/v1/event-bindings?limit=200')
  if (items.some((binding) => binding.source === source && binding.type === type)) return
  await call(producer, 'POST', '/v1/event-bindings', {
    ...{ source, type, templateId },
    categoryId: categories.events.id,
    audience: { kind: 'event_subjects' },
  })
}
