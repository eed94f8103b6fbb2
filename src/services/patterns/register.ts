import type { Db, Trx } from '../../db/connect.ts'
import { announceRegistrations } from '../../db/queries/callback/objects.ts'
import {
  promoteWaiting,
  readRegistrationFacts,
  writeRegistration,
} from '../../db/queries/pattern/registration.ts'
import { lockOpenRun } from '../../db/queries/scenario-run/end.ts'
import { lockRow } from '../../db/rows.ts'
import { type Asking, checkRegistration, type Registered } from '../../domain/pattern/check-registration.ts'

/** The run that asks, and whether it is a test, which takes no place. */
type AskingRun = { id: string; patternId: string; subjectId: string; test: boolean }

/**
 * Judges a run's request for a place, and writes what it comes to, in one transaction under the locks of the run and of
 * the pattern (docs/design/patterns.md). Safe to repeat. Null: the run is over.
 */
export async function register(
  db: Db,
  { id: runId, patternId, subjectId, test }: AskingRun,
  asking: Asking,
): Promise<Registered['result'] | null> {
  const key = { patternId, subjectId, runId }
  if (test) return checkRegistration(await readRegistrationFacts(db, key), asking).result
  return db.transaction().execute(async (trx: Trx) => {
    if (!(await lockOpenRun(trx, runId))) return null
    await lockRow(trx, 'pattern', patternId, 'change')
    const facts = await readRegistrationFacts(trx, key)
    const { result, becomes } = checkRegistration(facts, asking)
    if (becomes !== null) await writeRegistration(trx, key, becomes)
    if (becomes !== null && becomes !== facts.own?.state)
      await announceRegistrations(trx, patternId, [subjectId])
    if (result === 'withdrawn') await promoteWaiting(trx, patternId)
    return result
  })
}
