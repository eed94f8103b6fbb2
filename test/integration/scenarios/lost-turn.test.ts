import { expect, it } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { sendTurn } from '../../../src/activities/scenario/send-turn.ts'
import type { CallSender } from '../../../src/channels/connection.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { makeConversation } from '../../fixtures/conversations.ts'
import { forFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { byCall } from '../../fixtures/senders.ts'

const { database, fixture } = forFarEnds()

const turnsOf = (runId: string) =>
  database.db.selectFrom('turn').selectAll().where('run_id', '=', runId).orderBy('number').execute()

it('a run is due at the end of the lease if its worker dies after the provider has taken the turn, which is sent once', async () => {
  const { db } = database
  const { services, senders } = fixture.delivery
  await setDefaultLimit(db, { scope: 'pool', channel: 'chat', limit: 1_000 })
  const run = await makeConversation(database)
  await advanceRun(services, run.id)
  const dying = byCall(async (call) => {
    await (senders.chat as CallSender<'chat'>).send(call)
    throw new Error('killed')
  })
  await expect(
    sendTurn({ ...fixture.delivery, senders: { chat: dying } }, activityAttempt(), run.id),
  ).rejects.toThrow('killed')
  const { next_wakeup_at: due } = await scenarioRunRow(db, run.id)
  const dueIn = due!.getTime() - Date.now()
  expect(dueIn).toBeGreaterThan(20_000)
  expect(dueIn).toBeLessThanOrEqual(30_000)
  expect(await turnsOf(run.id)).toMatchObject([{ state: 'pending', unclear: true }])

  await db.updateTable('turn').set({ lease_until: new Date() }).where('run_id', '=', run.id).execute()
  await sendTurn(fixture.delivery, activityAttempt(), run.id)
  expect(await turnsOf(run.id)).toMatchObject([{ state: 'sent' }])
  const accepted = (await fixture.chat.journal()).filter(
    ({ to, status }) => status === 200 && to.includes(run.address),
  )
  expect(accepted).toHaveLength(1)
})
