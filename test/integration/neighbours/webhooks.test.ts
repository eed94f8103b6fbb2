import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { eraseSubject } from '../../../src/db/queries/erasure/record.ts'
import {
  deferWebhookEvent,
  endWebhookEvent,
  takeWebhookEvent,
  type WebhookEvent,
} from '../../../src/db/queries/event/webhook.ts'
import { receiveWebhook } from '../../../src/services/webhooks/receive.ts'
import { insertChatPerson } from '../../fixtures/handoffs.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { servicesOn } from '../../fixtures/services.ts'
import { costedDatabase } from '../../fixtures/statement-costs.ts'
import { event } from '../../fixtures/webhooks.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const database = forFile(freshDatabase)
const costed = forFile(async () => costedDatabase(database.url))
beforeEach(() => sql`delete from webhook_event`.execute(database.db))

const services = () => servicesOn(database.db)
const chatAddress = (n: number) => `U${String(n).padStart(32, '0')}`
const text = (n: number, words: string) =>
  event('message', chatAddress(n), { message: { type: 'text', text: words } })
const receive = (events: object[]) => receiveWebhook(services(), 'chat', { events }, new Date())

/** The next event, as if it was applied. */
const applyNext = (db = database.db) =>
  db.transaction().execute(async (trx) => {
    const event = await takeWebhookEvent(trx)
    if (event) await endWebhookEvent(trx, event.id, { outcome: 'recorded', subjectId: null, replied: false })
    return event
  })
const textOf = (event: WebhookEvent | undefined) =>
  (event?.payload as { message?: { text: string } } | undefined)?.message?.text

async function saidInOrder(most: number): Promise<(string | undefined)[]> {
  const order = []
  for (let n = 0; n < most; n += 1) order.push(textOf(await applyNext()))
  return order
}

async function keyword(words: string): Promise<void> {
  const { id: scenario_id } = await insertScenario(database.db)
  await database.db
    .insertInto('scenario_trigger')
    .values({ trigger: `keyword:${words}`, scenario_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

it("two thousand people who type one unit's keyword let each other person go first", async () => {
  await keyword('tour')
  await keyword('fees')
  const storm = Array.from({ length: 2_000 }, (_, n) => text(n, 'tour'))
  await receive(storm)
  await receive([text(3_000, 'fees'), text(3_001, 'hello')])
  const order = await saidInOrder(6)
  expect(order.slice(0, 4)).toEqual(expect.arrayContaining(['tour', 'fees', 'hello']))
  // A second wave of the other unit takes turns with the rest of the storm.
  await receive([text(3_002, 'fees'), text(3_003, 'fees')])
  expect((await saidInOrder(6)).filter((words) => words === 'fees')).toHaveLength(2)
})

it('the thousands of events of one person let each other person go first, and are applied in their order', async () => {
  await receive(Array.from({ length: 50 }, (_, n) => text(1, `${n}`)))
  await receive([text(2, 'hello')])
  const order = await saidInOrder(51)
  expect(order.indexOf('hello')).toBeLessThan(3)
  expect(order.filter((words) => words !== 'hello')).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`))
})

it('bounces of a large send let people go first', async () => {
  const bounces = Array.from({ length: 50 }, (_, n) => ({
    id: randomUUID(),
    type: 'bounce' as const,
    address: `student${n}@example.edu`,
    permanent: true,
  }))
  await receiveWebhook(services(), 'email', { events: bounces }, new Date())
  await receive([text(1, 'hello')])
  const order = [await applyNext(), await applyNext(), await applyNext()]
  expect(order.map(textOf)).toContain('hello')
})

it('an event that is stored while the last one of its address ends is applied after it', async () => {
  await receive([text(1, 'first')])
  await commitWhileBlocked(
    database.db,
    (trx) => receiveWebhook({ ...services(), db: trx }, 'chat', { events: [text(1, 'second')] }, new Date()),
    applyNext,
  )
  expect(await saidInOrder(2)).toEqual(['second', undefined])
})

it('an event that is stored after the last one of its address has ended, and not committed, is applied', async () => {
  await receive([text(1, 'first')])
  const end = async (trx: Parameters<typeof takeWebhookEvent>[0]) => {
    const event = await takeWebhookEvent(trx)
    await endWebhookEvent(trx, event!.id, { outcome: 'recorded', subjectId: null, replied: false })
  }
  await commitWhileBlocked(database.db, end, () => receive([text(1, 'second')]))
  expect(await saidInOrder(2)).toEqual(['second', undefined])
})

it('what fails holds back its address alone, until it is due again', async () => {
  await receive([text(1, 'fails'), text(1, 'waits'), text(2, 'hello')])
  const failing = await database.db.transaction().execute(takeWebhookEvent)
  await deferWebhookEvent(database.db, failing!.id)
  expect(await saidInOrder(2)).toEqual(['hello', undefined])
  await database.db
    .updateTable('webhook_event')
    .set({ next_try_at: sql`clock_timestamp()` })
    .where('id', '=', failing!.id)
    .execute()
  expect(await saidInOrder(3)).toEqual(['fails', 'waits', undefined])
})

it('an erasure leaves nothing of its events in the queue, and the others in it', async () => {
  const { uid, subjectId, address } = await insertChatPerson(database.db)
  await receive([event('message', address, { message: { type: 'text', text: 'mine' } }), text(2, 'hello')])
  await database.db.transaction().execute((trx) => eraseSubject(trx, { id: subjectId, uid }))
  expect(await database.db.selectFrom('webhook_head').select('share').execute()).toHaveLength(1)
  expect(await saidInOrder(2)).toEqual(['hello', undefined])
  expect(await database.db.selectFrom('webhook_head').select('share').execute()).toEqual([])
})

it('while no address is put off, the end of an event, and an empty queue, look for none', async () => {
  await receive([text(1, 'hello')])
  const [ending] = await costed.costsOf(() => applyNext(costed.db))
  expect(ending.statements).toBe(8)
  const [empty] = await costed.costsOf(() => applyNext(costed.db))
  expect(empty.statements).toBe(2)
})
