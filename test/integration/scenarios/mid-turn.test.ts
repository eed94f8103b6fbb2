import { expect, it } from 'vitest'
import { eraseRuns } from '../../../src/db/queries/scenario-run/erase.ts'
import { makeConversation, tapOption } from '../../fixtures/conversations.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { waitForRunEnd } from '../../fixtures/run-waits.ts'
import { scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(() => openWorkingRuns(1_000))

/** A run whose first turn is at the provider, held there. */
async function saying() {
  const run = await makeConversation(runs)
  runs.gate.mayPass = 0
  runs.wake('scenario', run.id, [{ name: 'started' }])
  await eventually(() => expect(runs.gate.waiting).toBe(1))
  const { subject_id: subjectId } = await scenarioRunRow(runs.db, run.id)
  return { ...run, subjectId: subjectId! }
}

const turnsOf = (runId: string) =>
  runs.db.selectFrom('turn').select(['state', 'reason']).where('run_id', '=', runId).execute()

async function expectNothingBroken() {
  expect(await brokenInvariants(runs.db)).toEqual([])
}

it('whose person is erased ends, and what was under way stays unknown', async () => {
  const { id, subjectId } = await saying()
  await runs.db
    .transaction()
    .execute((trx) => eraseRuns(trx, { id: subjectId, uid: 'uid', erasedUid: 'erased' }))
  runs.wake('scenario', id, [{ name: 'cancelled' }])
  runs.gate.open()
  await waitForRunEnd(runs, id, 'cancelled')
  expect(await turnsOf(id)).toEqual([{ state: 'unknown', reason: 'erased' }])
  await expectNothingBroken()
})

it('whose person blocks the account settles what was under way, and says nothing more', async () => {
  const { id, address } = await saying()
  await updateRows(runs.db, 'address', { address }, { blocked_at: new Date() })
  runs.gate.open()
  await eventually(async () => expect(await scenarioRunRow(runs.db, id)).toMatchObject({ state: 'waiting' }))
  await tapOption(runs, { id, address }, '0')
  await waitForRunEnd(runs, id, 'failed')
  expect(await turnsOf(id)).toEqual([
    { state: 'sent', reason: null },
    { state: 'skipped', reason: 'blocked' },
  ])
  await expectNothingBroken()
})
