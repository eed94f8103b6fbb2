import { ServiceError } from '../../contract/errors.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { closeNights, deferNight, unitsWithNights } from '../../db/queries/metrics/close-nights.ts'
import { takePatternToCount, writeCompletion } from '../../db/queries/metrics/completion.ts'
import { countNewReads } from '../../db/queries/metrics/count-reads.ts'
import {
  deferRollUp,
  finishedWaves,
  lockRollUp,
  openDays,
  recompute,
  rollUpWaves,
} from '../../db/queries/metrics/roll-up.ts'
import { countPeople } from '../../db/queries/metrics/subjects.ts'
import { countPattern } from '../../db/queries/pattern/report.ts'
import { completionOf } from '../../domain/pattern/report.ts'
import { byHalves } from '../by-halves.ts'
import type { Services } from '../context.ts'
import type { Retention } from '../retention.ts'

type Store = Pick<Services, 'db'> & Partial<Pick<Services, 'log'>>

/** Rolls up the next finished waves. Returns whether there may be more. */
export async function rollUpNextWaves({ db, log }: Store): Promise<boolean> {
  const done = await byHalves(
    db,
    await finishedWaves(db),
    (waveIds) => runRound(db, (trx) => rollUpWaves(trx, waveIds)),
    async (waveId, err) =>
      log?.warn({ waveId, tries: await deferRollUp(db, waveId), err }, 'A wave could not be rolled up'),
  )
  return done.includes(true)
}

/** Counts the readers of messages that were read since. Returns whether there may be more. */
export function countNextReads({ db }: Pick<Store, 'db'>): Promise<boolean> {
  return runRound(db, countNewReads)
}

/** Closes the next nights that are over. Returns whether there may be more. */
export async function closeNextNights({ db, log }: Store): Promise<boolean> {
  await runRound(db, async (trx) => openDays(trx).then(() => 0))
  const done = await byHalves(
    db,
    await unitsWithNights(db),
    (unitIds) => runRound(db, (trx) => closeNights(trx, unitIds)),
    async (unitId, err) =>
      log?.warn({ unitId, tries: await deferNight(db, unitId), err }, 'A night could not be closed'),
  )
  return done.includes(true)
}

/** Counts all people, unless that was done a few minutes ago. */
export function countAllPeople({ db }: Pick<Store, 'db'>): Promise<boolean> {
  return runRound(db, countPeople)
}

/** Counts the next pattern whose last count is out of date. Returns whether there may be more. */
export async function countNextPattern({ db }: Pick<Store, 'db'>): Promise<boolean> {
  const pattern = await takePatternToCount(db)
  if (!pattern) return false
  await writeCompletion(db, pattern.id, completionOf(pattern, await countPattern(db, pattern.id)))
  return true
}

/** Does a round of work, unless another process is in one: it does what there is to do. */
function runRound(db: Db, round: (trx: Trx) => Promise<number>): Promise<boolean> {
  return db.transaction().execute(async (trx) => (await lockRollUp(trx)) && (await round(trx)) > 0)
}

/**
 * Has the last `days` days of a unit counted again by the workers. Returns the number of sends, and the first day
 * (`YYYY-MM-DD`).
 * @throws ServiceError validation_error if rows of these days may be past retention: the numbers would become smaller
 */
export async function recomputeMetrics(
  db: Db,
  actor: string,
  retention: Retention,
  { unitId, days }: { unitId: string; days: number },
): Promise<{ sends: number; from: string }> {
  const kept = Math.min(...countedRows.map((name) => retention[name]).filter((n) => n > 0))
  if (days >= kept)
    throw new ServiceError(
      'validation_error',
      `Rows are kept for ${kept} days (RETENTION_…_DAYS). Recompute fewer days than that.`,
    )
  return db.transaction().execute(async (trx) => {
    const counted = await recompute(trx, { unitId, days })
    const what = { action: 'recompute', objectKind: 'unit', objectId: unitId } as const
    await insertAudit(trx, { unitId, actor, ...what, details: counted })
    return counted
  })
}

/** What the numbers of a day are counted from. */
const countedRows = ['RETENTION_DELIVERIES_DAYS', 'RETENTION_ANSWERS_DAYS', 'RETENTION_RUNS_DAYS'] as const
