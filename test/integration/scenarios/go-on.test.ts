import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { createActivities } from '../../../src/activities/index.ts'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { sendTurn } from '../../../src/activities/scenario/send-turn.ts'
import type { CallSender, Senders } from '../../../src/channels/connection.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { makeConversation, storeEvent, tapOf } from '../../fixtures/conversations.ts'
import { makeDeliveryFixture, withFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { byCall } from '../../fixtures/senders.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forEachTest, forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
const shared = forFile(() => makeDeliveryFixture(database.db))
const fixture = forEachTest(() => withFarEnds(shared))
beforeEach(async () => {
  await setDefaultLimit(database.db, { scope: 'pool', channel: 'chat', limit: 1_000 })
  await sql`update quota_ledger set monthly_limit = committed + 1000 where scope = 'pool'`.execute(
    database.db,
  )
})

/** A run that waits for an answer to its question. */
async function asked() {
  const run = await makeConversation(database)
  await advanceRun(services(), run.id)
  await sendTurn({ ...fixture.delivery, services: services() }, activityAttempt(), run.id)
  expect(await advanceRun(services(), run.id)).toMatchObject({ do: 'wait', for: 'answer' })
  return run
}

let woken: string[] = []
beforeEach(() => {
  woken = []
})
const services = () => ({ ...fixture.services, wake: (_kind: unknown, id: string) => void woken.push(id) })

/** A worker that goes on with runs, sending by these. */
const worker = (senders: Senders = fixture.delivery.senders, drain = { draining: false }) =>
  createActivities({ services: services(), senders, drain })

/** What this person was sent. */
const receivedBy = async (address: string) =>
  (await fixture.chat.journal()).filter(({ to, status }) => status === 200 && to.includes(address))

async function tap({ id, address }: { id: string; address: string }, { goOn } = worker()): Promise<void> {
  await storeEvent(database, address, tapOf(id, '0'))
  while (await processNextWebhookEvent(services(), goOn.goOn));
  await goOn.finish()
}

const turnsOf = (runId: string) =>
  database.db.selectFrom('turn').selectAll().where('run_id', '=', runId).orderBy('number').execute()

describe('a run whose person has answered', () => {
  it('says its next turn before it is woken, which then finds that it has ended', async () => {
    const run = await asked()
    const { chat } = fixture.delivery.senders
    const wokenAtSend: number[] = []
    const noting = byCall((call) => {
      wokenAtSend.push(woken.length)
      return (chat as CallSender<'chat'>).send(call)
    })
    await tap(run, worker({ chat: noting }))
    expect([wokenAtSend, woken]).toEqual([[0], [run.id]])
    expect(await receivedBy(run.address)).toHaveLength(2)
    expect(await turnsOf(run.id)).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
    expect(await advanceRun(services(), run.id)).toMatchObject({ do: 'end', view: { state: 'done' } })
  })

  it('is due at the end of the lease if its worker dies after the provider has taken the turn, which is sent once', async () => {
    const run = await asked()
    const { chat } = fixture.delivery.senders
    const dying = byCall(async (call) => {
      await (chat as CallSender<'chat'>).send(call)
      throw new Error('killed')
    })
    await tap(run, worker({ chat: dying }))
    const { next_wakeup_at: due } = await scenarioRunRow(database.db, run.id)
    const dueIn = due!.getTime() - Date.now()
    expect(dueIn).toBeGreaterThan(20_000)
    expect(dueIn).toBeLessThanOrEqual(30_000)
    expect(await turnsOf(run.id)).toMatchObject([{}, { state: 'pending', unclear: true }])

    await database.db
      .updateTable('turn')
      .set({ lease_until: new Date() })
      .where('run_id', '=', run.id)
      .execute()
    await sendTurn({ ...fixture.delivery, services: services() }, activityAttempt(), run.id)
    expect(await turnsOf(run.id)).toMatchObject([{}, { state: 'sent' }])
    expect(await receivedBy(run.address)).toHaveLength(2)
  })

  it('is left to itself in a worker that ends, and one after twenty others', async () => {
    const run = await asked()
    await tap(run, worker(fixture.delivery.senders, { draining: true }))
    expect(woken).toEqual([run.id])
    expect(await turnsOf(run.id)).toHaveLength(1)

    const { goOn } = worker()
    const others = Array.from({ length: 20 }, () => '00000000-0000-7000-8000-000000000000')
    for (const id of [...others, run.id]) goOn.goOn(id)
    expect(woken).toEqual([run.id, run.id])
    await goOn.finish()
    expect(await turnsOf(run.id)).toHaveLength(1)
  })

  it('is woken if its step fails', async () => {
    const run = await asked()
    const { goOn } = createActivities({
      services: { ...services(), rendering: { run: () => Promise.reject(new Error('no thread')) } as never },
      senders: fixture.delivery.senders,
      drain: { draining: false },
    })
    await storeEvent(database, run.address, tapOf(run.id, '0'))
    while (await processNextWebhookEvent(services(), goOn.goOn));
    await goOn.finish()
    expect(woken).toEqual([run.id])
  })
})
