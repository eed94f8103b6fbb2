import { expect, it } from 'vitest'
import { sendSmallWave } from '../../../src/activities/delivery/send-small-wave.ts'
import { readMessage } from '../../../src/activities/read-message.ts'
import { makeDeliveryFixture, withFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { approvedSend } from '../../fixtures/sends.ts'
import { countedDatabase } from '../../fixtures/statements.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forEachTest, forFile } from '../../harness/for-file.ts'

/** How many round trips to Postgres the run of a message to one person takes, `begin` and `commit` included. */
const database = forFile(freshDatabase)
const counted = forFile(async () => countedDatabase(database.url))
const shared = forFile(() => makeDeliveryFixture(counted.db))
const fixture = forEachTest(() => withFarEnds(shared))

it('the run of a message by chat to one person takes 15 from its first look to its end', async () => {
  const tag = await addRecipients(database.db, 1)
  const someone = {
    ...fixture,
    producer: producerPrincipal(fixture.unit.id, { individualTargeting: true }),
  }
  const send = () => approvedSend(someone, tag, { audience: { kind: 'individual', uids: [`${tag}-1`] } })
  const run = async (id: string) => {
    const message = await readMessage(fixture.services, id, { isQuick: () => true })
    expect(message).toMatchObject({ small: 'chat', quick: true })
    const { view } = await sendSmallWave(fixture.delivery, activityAttempt(), id, 'chat')
    return { ...view!, closed: true }
  }
  await run((await send()).id)
  const { id } = await send()
  const [sent, end] = await counted.statementsOf(() => run(id))
  const read = await readMessage({ ...fixture.services, db: database.db }, id)
  expect({ ...end, now: 0 }).toEqual({ ...read, now: 0 }) // as it would read it
  expect(end).toMatchObject({ state: 'sent', counts: [{ expected: 1, sent: 1 }] })
  expect(sent, sent.join('\n')).toHaveLength(15)
})
