import { expect, it } from 'vitest'
import { makeDeliveryFixture, withFarEnds } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
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

it('the run of a message by chat to one person takes 26 from its first look to its end', async () => {
  const tag = await addRecipients(database.db, 1)
  const someone = {
    ...fixture,
    producer: producerPrincipal(fixture.unit.id, { individualTargeting: true }),
  }
  const send = () => approvedSend(someone, tag, { audience: { kind: 'individual', uids: [`${tag}-1`] } })
  await runUntilWait(fixture, (await send()).id)
  const { id } = await send()
  const [sent, end] = await counted.statementsOf(() => runUntilWait(fixture, id))
  expect(end.view?.state).toBe('sent')
  expect(sent).toHaveLength(26)
})
