import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { LookedUp } from '../../../src/services/lookups/look-up.ts'
import { performLookup, type RunLookup } from '../../../src/services/lookups/perform-lookup.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { registerProducer } from '../../fixtures/lookup-endpoint.ts'
import { producer } from '../../fixtures/producer.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { seedCategory, seedUnit } from '../../fixtures/seed.ts'
import { eventKeys } from '../../fixtures/services.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { newScenarioRun } from './scenario-run.ts'

let unitId: string
let otherUnitId: string

const database = forFile(freshDatabase)
beforeAll(async () => {
  unitId = await seedUnit(database.db, 'Admissions')
  otherUnitId = await seedUnit(database.db, 'Library')
  await seedCategory(database.db, 'news')
})
beforeEach(() => database.db.deleteFrom('lookup_endpoint').execute())

const success = { outcome: 'found', fields: { order: expect.anything() }, dropped: 0 }

/** A worker that makes Lookups, and what it has settled. */
function worker() {
  const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
  onTestFinished(() => outbound.close())
  const parts = { db: database.db, outbound, signingKeys: eventKeys, log: pino({ level: 'silent' }) }
  const settled: LookedUp[] = []
  const perform = (runId: string, options: Partial<RunLookup> = {}) =>
    performLookup(parts, {
      runId,
      mayBegin: () => true,
      settle: async (_trx, _node, result) => void settled.push(result),
      ...options,
    })
  return { perform, settled }
}

/** A run at a Lookup of this address. */
function runAt(url: string, variables: Record<string, unknown> = {}, method: 'GET' | 'POST' = 'POST') {
  const node = { id: 'ask', kind: 'lookup', method, url, variables: ['orderId', 'missing'] } as const
  return newScenarioRun(database.db, {
    unitId,
    node: 'ask',
    nodes: [{ ...node, variables: [...node.variables] }],
    variables,
  })
}

const outcomeOf = (runId: string) =>
  database.db
    .selectFrom('lookup')
    .select(['outcome', 'dropped'])
    .where('run_id', '=', runId)
    .executeTakeFirst()

it('calls once, with the variables that the node names, and settles what it found', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const { runId, subjectId } = await runAt(far.orders, { orderId: 'A-1', secret: 'kept' })
  const { perform, settled } = worker()
  await perform(runId)
  await perform(runId)
  expect(settled).toEqual([success])
  expect(await outcomeOf(runId)).toEqual({ outcome: 'found', dropped: 0 })
  const [call, ...others] = await far.received()
  expect(others).toEqual([])
  expect(JSON.parse(call!.body)).toEqual({ subject: subjectId, orderId: 'A-1' })
  expect(call!.headers).toMatchObject({ 'x-service-key-id': 'old' })
  expect(call!.refusal).toBeNull()
})

it('sends the uid by POST alone, to an endpoint that gets it, under the signature, and into the audit', async () => {
  const far = await producer()
  const { runId, subjectId } = await runAt(far.orders, { orderId: 'A-1' })
  const byGet = await runAt(far.orders, {}, 'GET')
  const { uid } = await selectRow(database.db, 'subject', { id: subjectId }, ['uid'])
  const { perform } = worker()
  await registerProducer(database.db, far.url, { send_uid: true })
  await perform(runId)
  await perform(byGet.runId)
  const [posted, got] = await far.received()
  expect(JSON.parse(posted!.body)).toEqual({ orderId: 'A-1', subject: subjectId, uid })
  expect([posted!.refusal, got!.refusal]).toEqual([null, null])
  expect(JSON.stringify(got)).not.toContain('uid')
  const audited = database.db.selectFrom('audit').select(['actor', 'object_id as id', 'details'])
  expect(await audited.where('action', '=', 'send_uid').execute()).toEqual([
    {
      ...{ actor: expect.stringMatching(/^scenario:/), id: runId },
      details: { node: 'ask', origin: far.url, subjectId },
    },
  ])
})

it.each<[what: string, endpoints: [unit: 'own' | 'other' | null, sendUid: boolean][], sent: boolean]>([
  ['one for all units that gets uids', [[null, true]], true],
  ['one for all units that gets none', [[null, false]], false],
  [
    'one of the unit that gets uids, before one for all that gets none',
    [
      ['own', true],
      [null, false],
    ],
    true,
  ],
  [
    'one of the unit that gets none, before one for all that gets uids',
    [
      ['own', false],
      [null, true],
    ],
    false,
  ],
  [
    'one for all that gets none, whatever another unit has',
    [
      ['other', true],
      [null, false],
    ],
    false,
  ],
])('an endpoint gets the uid only by its own registration: %s', async (_what, endpoints, sent) => {
  const far = await producer()
  const unitOf = { own: unitId, other: otherUnitId }
  for (const [unit, sendUid] of endpoints)
    await registerProducer(database.db, far.url, { unit_id: unit && unitOf[unit], send_uid: sendUid })
  const [posting, getting] = [await runAt(far.orders), await runAt(far.orders, {}, 'GET')]
  const { perform } = worker()
  for (const { runId } of [posting, getting]) await perform(runId)
  const uids = await database.db
    .selectFrom('subject')
    .select('uid')
    .where('id', 'in', [posting.subjectId, getting.subjectId])
    .execute()
  const received = (await far.received()).map((call) => JSON.stringify(call))
  const named = received.map((call) => uids.some(({ uid }) => call.includes(uid)))
  expect(named).toEqual([sent, false])
  const audited = database.db.selectFrom('audit').select('id').where('action', '=', 'send_uid')
  expect(await audited.where('object_id', 'in', [posting.runId, getting.runId]).execute()).toHaveLength(
    sent ? 1 : 0,
  )
})

it('is not made where a variable that it would send is a number which JSON has rounded', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const { runId } = await runAt(far.orders, { orderId: { number: 2 ** 53 } })
  const { perform, settled } = worker()
  await perform(runId)
  expect(settled).toEqual([{ outcome: 'shape' }])
  expect(await far.received()).toEqual([])
  const other = await runAt(far.orders, { orderId: 'A-1', secret: 2 ** 53 })
  await perform(other.runId)
  expect(settled[1]).toEqual(success)
})

it('is called by one of twenty workers', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const { runId } = await runAt(far.orders)
  const { perform, settled } = worker()
  await far.fault({ delayMs: 50 })
  await Promise.all(Array.from({ length: 20 }, () => perform(runId)))
  expect(await far.received()).toHaveLength(1)
  expect(settled).toHaveLength(1)
})

it('is a timeout where its worker was lost, and is not called again', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const { runId } = await runAt(far.orders)
  await database.db.insertInto('lookup').values({ run_id: runId, node: 'ask' }).execute()
  const { perform, settled } = worker()
  await perform(runId)
  expect(settled).toEqual([{ outcome: 'timeout' }])
  expect(await outcomeOf(runId)).toEqual({ outcome: 'timeout', dropped: 0 })
  expect(await far.received()).toEqual([])
})

it('stores no outcome where its effect on the run fails', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const { runId } = await runAt(far.orders)
  const { perform } = worker()
  const failing = perform(runId, { settle: () => Promise.reject(new Error('no way')) })
  await expect(failing).rejects.toThrow('no way')
  expect(await outcomeOf(runId)).toEqual({ outcome: null, dropped: 0 })
})

it('is a timeout where Postgres was away when its outcome was to be stored, and is not called again', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const { runId } = await runAt(far.orders)
  const { perform, settled } = worker()
  const cut = perform(runId, {
    settle: async (trx) => void (await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)),
  })
  await expect(cut).rejects.toThrow()
  expect(await outcomeOf(runId)).toEqual({ outcome: null, dropped: 0 })
  await perform(runId)
  expect(settled).toEqual([{ outcome: 'timeout' }])
  expect(await outcomeOf(runId)).toEqual({ outcome: 'timeout', dropped: 0 })
  expect(await far.received()).toHaveLength(1)
})

it('begins nothing while the worker shuts down', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const { runId } = await runAt(far.orders)
  await worker().perform(runId, { mayBegin: () => false })
  expect(await outcomeOf(runId)).toBeUndefined()
  expect(await far.received()).toEqual([])
})

it.each([
  ['no endpoint is registered', async () => {}],
  ['another port is registered', () => registerProducer(database.db, 'http://127.0.0.1:1')],
  [
    'it is registered for another unit',
    (url: string) => registerProducer(database.db, url, { unit_id: otherUnitId }),
  ],
  [
    'the key of the endpoint is gone',
    (url: string) => registerProducer(database.db, url, { key_id: 'gone' }),
  ],
])('is not called where %s', async (_, prepare) => {
  const far = await producer()
  await prepare(far.url)
  const { runId } = await runAt(far.orders)
  const { perform, settled } = worker()
  await perform(runId)
  expect(settled).toEqual([{ outcome: 'network' }])
  expect(await far.received()).toEqual([])
})

it("is signed with the key of the unit's own endpoint before that of one for all units", async () => {
  const far = await producer()
  await registerProducer(database.db, 'http://127.0.0.1:*', { key_id: 'old' })
  await registerProducer(database.db, far.url, { key_id: 'old' })
  await registerProducer(database.db, 'http://127.0.0.1:*', { unit_id: unitId, key_id: 'new' })
  const { runId } = await runAt(far.orders)
  const { perform } = worker()
  await perform(runId)
  const [call] = await far.received()
  const timestamp = String(call!.headers['x-service-timestamp'])
  const digest = createHmac('sha256', eventKeys.get('new')!)
    .update(`${timestamp}.${call!.body}`)
    .digest('hex')
  expect(call!.headers).toMatchObject({ 'x-service-key-id': 'new', 'x-service-signature': `v1=${digest}` })
})

/** Runs at this address whose Lookups are under way, from now on. */
async function underWay(url: string, count: number) {
  const runs = await Promise.all(Array.from({ length: count }, () => runAt(url)))
  const { origin } = new URL(url)
  await database.db
    .insertInto('lookup')
    .values(runs.map(({ runId }) => ({ run_id: runId, node: 'ask', origin })))
    .execute()
  return runs.map(({ runId }) => runId)
}

const end = (ids: string[]) =>
  database.db
    .updateTable('lookup')
    .set({ outcome: 'found', ended_at: sql`clock_timestamp()` })
    .where('run_id', 'in', ids)
    .execute()

it('at most 20 calls of an origin are under way; the others come back, and none of another origin waits', async () => {
  const [slow, other] = [await producer(), await producer()]
  await registerProducer(database.db, 'http://127.0.0.1:*')
  await slow.fault({ delayMs: 60_000, times: limits.lookupsAtOnce })
  const workers = [worker(), worker()]
  const runs = await Promise.all(Array.from({ length: limits.lookupsAtOnce }, () => runAt(slow.orders)))
  const performed = Promise.all(runs.map(({ runId }, n) => workers[n % 2]!.perform(runId)))
  await eventually(async () => expect(await slow.received()).toHaveLength(limits.lookupsAtOnce))

  const late = await Promise.all(Array.from({ length: 5 }, () => runAt(slow.orders)))
  const { perform, settled } = workers[1]!
  for (const { runId } of late) expect(await perform(runId)).toBeGreaterThan(0)
  expect(await perform((await runAt(other.orders)).runId)).toBeNull()
  expect(settled).toEqual([success])
  expect(await slow.received()).toHaveLength(limits.lookupsAtOnce)

  await slow.stop()
  await performed
  expect(await Promise.all(late.map(({ runId }) => perform(runId)))).toEqual(late.map(() => null))
  expect(workers.flatMap((each) => each.settled)).toHaveLength(1 + runs.length + late.length)
})

it('begins at most 50 calls of an origin in any second', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const begun = await underWay(far.orders, limits.lookupsPerSecond)
  await end(begun)
  const { runId } = await runAt(far.orders)
  const { perform } = worker()
  const ages = (seconds: number) =>
    database.db
      .updateTable('lookup')
      .set({ started_at: sql`clock_timestamp() - make_interval(secs => ${seconds})` })
      .where('run_id', 'in', begun)
      .execute()
  await ages(-60) // still within the second, however slow the machine
  expect(await perform(runId)).toBeGreaterThan(0)
  await ages(2)
  expect(await perform(runId)).toBeNull()
  expect(await far.received()).toHaveLength(1)
})

it('comes back later the more wait at its origin before it, and the units take turns there', async () => {
  const far = await producer()
  await registerProducer(database.db, far.url)
  const busy = await underWay(far.orders, limits.lookupsAtOnce)
  const { perform } = worker()
  const many = await Promise.all(Array.from({ length: 40 }, () => runAt(far.orders)))
  const waits: (number | null)[] = []
  for (const { runId } of many) waits.push(await perform(runId))
  expect(waits[39]).toBeGreaterThan(waits[0]!)

  const home = unitId
  unitId = otherUnitId
  const { runId: neighbour } = await runAt(far.orders)
  unitId = home
  expect(await perform(neighbour)).toBeLessThan(waits[39]!)
  await database.db.updateTable('lookup_wait').set({ back_at: sql`clock_timestamp()` }).execute()
  await end(busy.slice(0, 2))
  const second = many[1]!.runId
  expect([await perform(second), await perform(neighbour)]).toEqual([expect.any(Number), null])
  expect(await perform(many[0]!.runId)).toBeNull()
  expect(await far.received()).toHaveLength(2)
})
