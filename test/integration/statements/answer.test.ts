import { expect, it, onTestFinished } from 'vitest'
import { createActivities } from '../../../src/activities/index.ts'
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

it('a tap takes ten from its event to the next turn, sent, and two more as its run reads that it has ended', async () => {
  await setDefaultLimit(database.db, { scope: 'pool', channel: 'chat', limit: 1_000 })
  const client = connectChat({ baseUrl: fixture.chat.url, token })
  onTestFinished(() => client.close())
  const { senders } = fixture.delivery
  const services = { ...fixture.delivery.services, replyChat: (reply: ChatReply) => replyChat(client, reply) }
  const { goOn } = createActivities({ services, senders, drain: { draining: false } })
  const tapped = async () => {
    const { id, address } = await makeConversation(database)
    await advanceRun(services, id)
    await sendTurn(fixture.delivery, activityAttempt(), id)
    await advanceRun(services, id)
    const { event } = await fixture.chat.does(address, { kind: 'tap', data: tapOf(id, '0').postback.data })
    await storeEvent(database, address, { ...event })
    const [applied] = await counted.statementsOf(async () => {
      await processNextWebhookEvent(services, goOn.goOn)
      await goOn.finish()
    })
    const [read, step] = await counted.statementsOf(() => advanceRun(services, id))
    expect(step?.do).toBe('end')
    return { applied, read }
  }
  await tapped()
  const { applied, read } = await tapped()
  expect([applied.length, read.length], applied.join('\n')).toEqual([10, 2])
})
