import { expect, it } from 'vitest'
import { makeDeliveryFixture, withFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt, sendSlices } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { startedSend } from '../../fixtures/sends.ts'
import { costedDatabase } from '../../fixtures/statement-costs.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forEachTest, forFile } from '../../harness/for-file.ts'

/** What batches cost Postgres: the statements that their slice sends, with those of triggers. */

const database = forFile(freshDatabase)
const costed = forFile(async () => costedDatabase(database.url))
const shared = forFile(() => makeDeliveryFixture(costed.db))
const fixture = forEachTest(() => withFarEnds(shared))

/** Of mails; as many as a batch has. */
const batchSize = 64

async function statementsFor(batches: number): Promise<number> {
  const tag = await addRecipients(database.db, batches * batchSize, ['email'])
  const planned = await startedSend(fixture, tag, { categoryId: 'letters' })
  const [{ statements }] = await costed.costsOf(() =>
    sendSlices(fixture.delivery, activityAttempt(), planned, 'email'),
  )
  return statements
}

it('a batch of mail is claimed, stored and settled, and asks nothing else while the server takes everybody', async () => {
  await statementsFor(4) // from now on the server is known to take everybody
  const [few, more] = [await statementsFor(1), await statementsFor(3)]
  expect((more - few) / 2).toBe(3)
})
