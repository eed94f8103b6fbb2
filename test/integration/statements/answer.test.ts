import { expect, it, onTestFinished } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { sendTurn } from '../../../src/activities/scenario/send-turn.ts'
import { connectChat } from '../../../src/channels/chat/client.ts'
import { type ChatReply, replyChat } from '../../../src/channels/chat/send.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { makeConversation, storeEvent, tapOf } from '../../fixtures/conversations.ts'
import { makeDeliveryFixture, withFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { token } from '../../fixtures/simulator-calls.ts'
import { countedDatabase } from '../../fixtures/statements.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forEachTest, forFile } from '../../harness/for-file.ts'

/** How many round trips to Postgres an answer takes, `begin` and `commit` included. */
const database = forFile(freshDatabase)
const counted = forFile(async () => countedDatabase(database.url))
const shared = forFile(() => makeDeliveryFixture(counted.db))
const fixture = forEachTest(() => withFarEnds(shared))

it('a tap takes five until it is applied, and its run eight to say its next turn and read that it has ended', async () => {
  await setDefaultLimit(database.db, { scope: 'pool', channel: 'chat', limit: 1_000 })
  const client = connectChat({ baseUrl: fixture.chat.url, token })
  onTestFinished(() => client.close())
  const services = { ...fixture.delivery.services, replyChat: (reply: ChatReply) => replyChat(client, reply) }
  const say = async (id: string) => {
    await advanceRun(services, id)
    await sendTurn({ ...fixture.delivery, services }, activityAttempt(), id)
    return advanceRun(services, id)
  }
  const tapped = async () => {
    const { id, address } = await makeConversation(database)
    await say(id)
    const { event } = await fixture.chat.does(address, { kind: 'tap', data: tapOf(id, '0').postback.data })
    await storeEvent(database, address, { ...event })
    const [applied] = await counted.statementsOf(() => processNextWebhookEvent(services))
    const [statements, step] = await counted.statementsOf(() => say(id))
    expect(step?.at).toBe('ended')
    return { applied, said: statements }
  }
  await tapped()
  const { applied, said: statements } = await tapped()
  expect([applied.length, statements.length], [...applied, ...statements].join('\n')).toEqual([5, 8])
})
