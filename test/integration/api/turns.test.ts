import { type AddressInfo, connect as connectSocket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { connect, type Db } from '../../../src/db/connect.ts'
import { type Api, startApi } from '../../fixtures/api.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { holdTransaction, waitForBlocked } from '../../harness/lock-waits.ts'

const poolSize = 4

let api: Api
let small: Db
beforeAll(async () => {
  const database = await freshDatabase()
  small = connect(database.url, { poolSize })
  api = await startApi({ database, services: { db: small } })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await small.destroy()
  await api.close()
})

/** Holds the topic of unit a, so that each change of it keeps a connection until it is released. */
async function holdTopic(): Promise<() => Promise<unknown>> {
  const release = await holdTransaction(api.database.db, (trx) =>
    sql`select from topic where id = ${api.topics.active} for update`.execute(trx),
  )
  onTestFinished(async () => void (await release()))
  return release
}

it('the requests of one unit leave half of the connections to others, whatever keys it calls with', async () => {
  const release = await holdTopic()
  const keys = [api.keys.a, api.keys.restricted, await api.newKey(api.units.a)]
  const changes = Array.from({ length: 3 * poolSize }, (_, n) =>
    api.call('editTopic', { key: keys[n % keys.length]!, id: api.topics.active, body: { status: 'active' } }),
  )
  await waitForBlocked(api.database.db, poolSize / 2)
  expect((await api.call('listMessages', { key: api.keys.b })).status).toBe(200)
  await release()
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200))
})

it('pipelined requests are handled one after the other', async () => {
  const release = await holdTopic()
  const body = '{"status":"active"}'
  const change =
    `PATCH /v1/topics/${api.topics.active} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.keys.a}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const { port } = api.app.server.address() as AddressInfo
  const socket = connectSocket(port, '127.0.0.1', () => socket.write(change.repeat(2)))
  let answers = ''
  const both = new Promise<void>((done) => {
    socket.on('data', (part) => {
      answers += part
      if (answers.match(/HTTP\/1.1 200/g)?.length === 2) done()
    })
  })
  await waitForBlocked(api.database.db)
  await api.call('listMessages', { key: api.keys.b })
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    api.database.db,
  )
  expect(rows).toHaveLength(1)
  await release()
  await both
  socket.destroy()
})

it('the files of a unit are read two at a time, and wait without keeping its other requests', async () => {
  const { port } = api.app.server.address() as AddressInfo
  const head =
    `POST /v1/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.keys.administrative}\r\n` +
    'Content-Type: text/csv\r\nContent-Length: 8\r\n\r\nuid\n'
  const answered: number[] = []
  const uploads = Array.from({ length: limits.uploadsPerUnit + poolSize }, (_, n) => {
    const socket = connectSocket(port, '127.0.0.1', () => socket.write(head))
    onTestFinished(() => void socket.destroy())
    socket.on('data', () => answered.push(n))
    return socket
  })
  const started = async () => (await small.selectFrom('import').select('id').execute()).length
  await eventually(async () => expect(await started()).toBe(limits.uploadsPerUnit))
  // The others have arrived by now: their requests were written before this one.
  expect((await api.call('listImports', { key: api.keys.administrative })).status).toBe(200)
  expect(await started()).toBe(limits.uploadsPerUnit)
  for (const socket of uploads) socket.write('ann\n')
  await eventually(async () => expect(answered).toHaveLength(uploads.length))
  expect(await started()).toBe(uploads.length)
})
