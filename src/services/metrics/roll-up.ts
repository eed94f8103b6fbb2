import type { Db, Trx } from '../../db/connect.ts'
import { closeNights } from '../../db/queries/metrics/close-nights.ts'
import { takePatternToCount, writeCompletion } from '../../db/queries/metrics/completion.ts'
import { countNewReads } from '../../db/queries/metrics/count-reads.ts'
import { countPeople } from '../../db/queries/metrics/people.ts'
import { lockRollUp, openDays, rollUpWaves } from '../../db/queries/metrics/roll-up.ts'
import { countPattern } from '../../db/queries/pattern/report.ts'
import { completionOf } from '../../domain/pattern/report.ts'

type Store = { db: Db }

/** Rolls up the next finished waves. Returns whether there may be more. */
export function rollUpNextWaves({ db }: Store): Promise<boolean> {
  return inTurn(db, rollUpWaves)
}

/** Counts the readers of messages that were read since. Returns whether there may be more. */
export function countNextReads({ db }: Store): Promise<boolean> {
  return inTurn(db, countNewReads)
}

/** Closes the next nights that are over. Returns whether there may be more. */
export function closeNextNights({ db }: Store): Promise<boolean> {
  return inTurn(db, async (trx) => {
    await openDays(trx)
    return closeNights(trx)
  })
}

/** Counts all people, unless that was done a few minutes ago. */
export function countAllPeople({ db }: Store): Promise<boolean> {
  return inTurn(db, countPeople)
}

/** Counts the next pattern whose last count no longer stands. Returns whether there may be more. */
export async function countNextPattern({ db }: Store): Promise<boolean> {
  const pattern = await takePatternToCount(db)
  if (!pattern) return false
  await writeCompletion(db, pattern.id, completionOf(pattern, await countPattern(db, pattern.id)))
  return true
}

/** Does a round of work, unless another process is in one: it does what there is to do. */
function inTurn(db: Db, round: (trx: Trx) => Promise<number>): Promise<boolean> {
  return db.transaction().execute(async (trx) => (await lockRollUp(trx)) && (await round(trx)) > 0)
}
