import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { retireRuns } from '../../../src/db/queries/scenario-run/farewell.ts'
import { observeRun } from '../../../src/db/queries/scenario-run/observe-run.ts'
import { findPendingTurn } from '../../../src/db/queries/scenario-run/turn.ts'
import { advance } from '../../../src/domain/scenario/advance.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { speech } from '../../fixtures/speech.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const fresh = forFile(freshDatabase)

it('a farewell waits for the turn that was begun, until that may be tried again', async () => {
  const { db } = fresh
  const scenario = await insertScenario(db, {
    ...{ state: 'retired', versionState: 'in_force' },
    content: { farewell: { 'zh-TW': '再見' } },
  })
  const id = await insertScenarioRun(db, { scenario })
  const { subject_id, unit_id } = await scenarioRunRow(db, id)
  const begun = await insertRow(db, 'turn', {
    ...{ run_id: id, number: 1, first_node: 'ask', last_node: 'ask', subject_id, unit_id },
    ...{ answers_person: false, locale: 'zh-TW', says: '[]', channel: 'chat', by: 'push', unclear: true },
    ...{ retry_key: randomUUID(), tries: 1, first_try_at: new Date() },
    next_try_at: new Date(Date.now() + 3_600_000),
  })
  await db.transaction().execute((trx) => retireRuns(trx, scenario.id, 10))
  // Postgres may return rows in any order; a row that was written again usually comes last.
  await db.updateTable('turn').set({ tries: 2 }).where('id', '=', begun.id).execute()

  const reading = await observeRun(db, id)
  expect(advance(reading!.facts, reading!.now, speech).step).toMatchObject({ at: 'quiet hours' })
  expect(await findPendingTurn(db, id)).toMatchObject({ id: begun.id })
})
