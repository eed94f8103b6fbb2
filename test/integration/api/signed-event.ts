import { createHmac, randomUUID } from 'node:crypto'
import type { SystemEvent } from '../../../src/contract/events/event.ts'
import type { Answered } from './call.ts'
import { eventKeys, type World } from './world.ts'

export type Signing = { keyId?: string; secret?: string; timestamp?: string | number }

/** Unix seconds, so many away from now. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds
}

/** The headers of a signed call, as a producer makes them. */
export function signatureHeaders(raw: string | Buffer, signing: Signing = {}): Record<string, string> {
  const { keyId = 'new', timestamp = secondsFromNow(0) } = signing
  const secret = signing.secret ?? eventKeys.get(keyId) ?? ''
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex')
  return {
    'x-service-key-id': keyId,
    'x-service-timestamp': String(timestamp),
    'x-service-signature': `v1=${digest}`,
  }
}

/** An event that the world's binding makes a message of; each with an id of its own. */
export function newEvent(parts: Partial<SystemEvent> = {}): SystemEvent {
  return {
    eventId: randomUUID(),
    type: 'course.moved',
    occurredAt: '2026-11-20T09:00:00+08:00',
    subjectUids: ['s1'],
    data: { day: 'Saturday' },
    ...parts,
  }
}

/** Sends an event to `/v1/events/{source}`, signed; `source` is sis unless said. */
export function sendEvent(
  world: Pick<World, 'call'>,
  event: unknown,
  { source = 'sis', ...signing }: Signing & { source?: string } = {},
): Promise<Answered> {
  const raw = JSON.stringify(event)
  return world.call('receiveEvent', { id: source, raw, headers: signatureHeaders(raw, signing) })
}

/** The same for several events under one signature. */
export function sendEvents(
  world: Pick<World, 'call'>,
  events: unknown[],
  signing: Signing = {},
): Promise<Answered> {
  const raw = JSON.stringify({ events })
  return world.call('receiveEvents', { id: 'sis', raw, headers: signatureHeaders(raw, signing) })
}

/** Binds course.moved of sis in unit a, to the approved template. */
export async function bind(world: World, parts: object = {}): Promise<string> {
  const { body } = await world.call('createEventBinding', {
    key: world.keys.a,
    body: {
      source: 'sis',
      type: 'course.moved',
      categoryId: 'news',
      templateId: world.templates.approved,
      audience: { kind: 'event_subjects' },
      ...parts,
    },
  })
  return body.id
}
