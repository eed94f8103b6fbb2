import { expect, it } from 'vitest'
import { makeDeliveryFixture, withFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt, sendSlices } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { startedSend } from '../../fixtures/sends.ts'
import { countedDatabase } from '../../fixtures/statements.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forEachTest, forFile } from '../../harness/for-file.ts'

/** What batches cost Postgres in round trips, besides those of their slices: a busy machine needs more slices. */

const database = forFile(freshDatabase)
const counted = forFile(async () => countedDatabase(database.url))
const shared = forFile(() => makeDeliveryFixture(counted.db))
const fixture = forEachTest(() => withFarEnds(shared))

/** Sends a mail to this many people; returns the statements of its batches, and how many batches it had. */
async function sendTo(people: number): Promise<{ statements: string[]; batches: number }> {
  const tag = await addRecipients(database.db, people, ['email'])
  const planned = await startedSend(fixture, tag, { categoryId: 'letters' })
  const [sent] = await counted.statementsOf(() =>
    sendSlices(fixture.delivery, activityAttempt(), planned, 'email'),
  )
  const batches = await selectRows(database.db, 'batch', { wave_id: planned.waveId }, ['number'])
  return { statements: withoutSlices(sent), batches: batches.length }
}

/** A slice begins by reading its wave, and ends with a transaction that tallies. */
function withoutSlices(sent: string[]): string[] {
  let inTransaction = false
  return sent.filter((statement) => {
    if (statement === 'begin') inTransaction = true
    const isOfSlice = inTransaction || statement.includes('as "readAt"')
    if (statement === 'commit') inTransaction = false
    return !isOfSlice
  })
}

it('a batch of mail is claimed, stored and settled, and asks nothing else while the server takes everybody', async () => {
  await sendTo(256) // from now on the server is known to take everybody
  const { statements, batches } = await sendTo(512)
  expect(batches).toBeGreaterThan(3)
  expect(statements).toHaveLength(3 * batches)
})
