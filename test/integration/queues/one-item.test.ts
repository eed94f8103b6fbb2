import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Registry, register } from 'prom-client'
import { expect, it, onTestFinished } from 'vitest'
import { callbackDeliver } from '../../../src/background/callback-deliver.ts'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { eventSettle, signaturePurge } from '../../../src/background/tasks.ts'
import type { Db } from '../../../src/db/connect.ts'
import { registerQueueMetrics } from '../../../src/metrics/rows.ts'
import { createCallback } from '../../../src/services/callbacks/change.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { openReceiver } from '../../fixtures/callback-receiver.ts'
import { createSubmitted, type MessageFixture, makeMessageFixture } from '../../fixtures/message-fixture.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { refuseWrites } from '../../harness/write-refusal.ts'
import { failingItems } from './failing-items.ts'

async function openWorld(): Promise<MessageFixture> {
  const database = await freshDatabase()
  onTestFinished(database.drop)
  const fixture = await makeMessageFixture(database.db)
  const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
  onTestFinished(outbound.close)
  Object.assign(fixture.services, { outbound })
  return fixture
}

function metrics(db: Db): Promise<string> {
  const registry = new Registry()
  registerQueueMetrics(db, registry)
  return Registry.merge([registry, register]).metrics()
}

it.each(Object.entries(failingItems))(
  '%s delays no other item, shows in the metrics, and ends',
  async (_, plant) => {
    const fixture = await openWorld()
    const { task, left, tries, shown: metric = '', toLastTry, end, ended } = await plant(fixture)
    const rounds = pollLoop(task, fixture.services.log)
    onTestFinished(() => rounds.stop())
    await eventually(async () => expect(await left()).toBe(0))
    await eventually(async () => expect(await tries?.()).not.toBe(0))
    await eventually(async () => expect(await metrics(fixture.db)).toContain(metric))
    await eventually(async () => {
      await toLastTry?.()
      expect(await end?.()).toEqual(ended)
    })
    await rounds.stop()
  },
)

it('signatures that cannot be deleted do not keep events from being settled', async () => {
  const { db, services } = await openWorld()
  await refuseWrites(db, { event: 'delete', table: 'event_signature', row: 'true' })
  const signed = { source: 'sis', event_ids: ['1'], received_at: new Date(0) }
  await insertRow(db, 'event_signature', { ...signed, digest: randomBytes(32) })
  const event = { source: 'sis', event_id: '1', type: 'moved', key_id: 'k', subject_uids: [], data: '{}' }
  await insertRow(db, 'event', { ...event, occurred_at: new Date(0), next_try_at: new Date(0) })
  const tasks = [signaturePurge(services), eventSettle(services)]
  const rounds = tasks.map((task) => pollLoop(task, services.log))
  onTestFinished(() => Promise.all(rounds.map((one) => one.stop())).then(() => {}))
  await eventually(async () => {
    const { error } = await db.selectFrom('event').select('error').executeTakeFirstOrThrow()
    expect(error).toBe('no_subjects')
  })
})

it('ten callbacks of one unit that hang do not delay the others', async () => {
  const fixture = await openWorld()
  const services = { ...fixture.services, secrets: secretBox(randomBytes(32)) }
  const hanging = await silence()
  const types = ['message.state_changed' as const]
  for (let n = 0; n < 10; n++) await createCallback(services, fixture.producer, { url: hanging.url, types })
  for (let n = 0; n < 4; n++) await createSubmitted(fixture)
  const other = await openReceiver()
  await createCallback(services, fixture.otherProducer, { url: other.url, types })

  const rounds = pollLoop(callbackDeliver(services), services.log)
  onTestFinished(() => rounds.stop())
  await eventually(() => expect(hanging.asked()).toBe(16))
  await createSubmitted(fixture, {}, fixture.otherProducer)
  await eventually(() => expect(other.received).toHaveLength(1))
  // No other approver was notified in place of an exhausted one: all sixteen still wait for an answer.
  expect([hanging.asked(), hanging.open()]).toEqual([16, 16])
  hanging.hangUp()
})

/** A server that accepts requests and answers none. */
async function silence() {
  let requests = 0
  const server = createServer(() => {
    requests += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(hangUp)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, asked: () => requests, open: () => sockets.size, hangUp }
}
