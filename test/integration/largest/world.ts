import { randomBytes, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { upsertPerson } from '../../../dev/people.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { adapters } from '../../../src/channels/index.ts'
import type { Services } from '../../../src/services/context.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { type Api, startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { byCall } from '../../fixtures/senders.ts'
import { eventKeys } from '../../fixtures/services.ts'
import { type CostedDatabase, costedDatabase } from '../../fixtures/statement-costs.ts'
import { webhookSecrets } from '../../fixtures/webhooks.ts'
import { freshDatabase } from '../../harness/database.ts'
import { longText } from './planted/long-text.ts'
import { type Planted, plant } from './planted/plant.ts'

/** An installation in which as much is stored as may be, and who calls it. */
export type World = {
  api: Api
  costed: CostedDatabase
  planted: Planted
  as: Record<'key' | 'identity' | 'editor' | 'approver' | 'administrator' | 'recipient', CallOptions>
  /** A new draft to everybody, as long as one may be. Returns its id. */
  draft(): Promise<string>
  /** The same, submitted. */
  submitted(): Promise<string>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const database = await freshDatabase()
  const costed = costedDatabase(database.url)
  const auth = { mock: true, webhookSecrets, eventSigning: { keys: eventKeys, sources: new Map() } }
  const services: Partial<Services> = {
    channels: adapters,
    log: pino({ level: 'error' }),
    senders: { chat: byCall(async () => ({ kind: 'accepted' })) },
    links: linkSigner(randomBytes(32)),
  }
  const api = await startApi({ database: { ...database, db: costed.db }, auth, services })
  const planted = await plant(api, database.db)
  Object.assign(api.services, { avatarUnit: api.units.a })
  await costed.db
    .updateTable('person')
    .set({ subject_uid: 'person-1' })
    .where('email', '=', 'editor@example.org')
    .execute()
  const rights = { groupWriting: true, handoffReply: true, individualTargeting: true }
  const personId = await upsertPerson(costed.db, {
    email: 'root@example.org',
    name: 'Root',
    systemAdmin: true,
  })
  const { token } = await createSession(costed.db, 'operator:cli', { personId, hours: 1 })
  const as: World['as'] = {
    key: { key: await api.newKey(api.units.a, rights) },
    identity: { key: api.keys.administrative },
    editor: { session: api.sessions.editor },
    approver: { session: api.sessions.approver },
    administrator: { session: token },
    recipient: { headers: { 'x-mock-channel-user': planted.address } },
  }
  const messages = [{ kind: 'text', text: { 'zh-TW': longText(4_900) } }]
  const draft = async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { ...newMessage, categoryId: 'manual', messages, scheduleAt: '2037-01-01T00:00:00Z' }
    return (await api.call('createMessage', { ...as.key, headers, body })).body.id
  }
  const submitted = async () => {
    const id = await draft()
    await api.call('submitMessage', { ...as.key, id })
    return id
  }
  const close = async () => {
    await api.app.close()
    await costed.close()
    await database.drop()
  }
  return { api, costed, planted, as, draft, submitted, close }
}
