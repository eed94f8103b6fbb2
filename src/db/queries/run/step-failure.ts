import { sql } from 'kysely'
import type { RunName } from '../../../domain/run/run-kinds.ts'
import type { Db } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import { insertAuthorNotices } from '../notice/author-notice.ts'
import { tableOf } from './union-of-kinds.ts'

/** Failures in a row after which a run is parked. */
const failuresMost = 20
/** How long it then waits before it tries again. */
const parkedForMs = 3_600_000

/** Counts a failure of a run's step. Returns whether the run is parked for it now; authors of messages are notified. */
export async function countStepFailure(db: Db, { kind, id }: RunName): Promise<boolean> {
  const { rows } = await sql<{ parked: boolean }>`
    update ${tableOf(kind)} set step_failures = step_failures + 1,
      step_parked_at = case when step_failures + 1 >= ${failuresMost}::int then clock_timestamp() end,
      problem = case when step_failures + 1 >= ${failuresMost}::int then 'internal' else problem end
    where id = ${id} and closed_at is null
    returning step_parked_at is not null as parked`.execute(db)
  const parked = rows[0]?.parked ?? false
  if (parked && kind === 'message') await insertAuthorNotices(db, id, 'parked')
  return parked
}

/** Parks a run at once that a background task cannot end or wake. Returns its failures in a row. */
export async function parkRun(db: Db, { kind, id }: RunName): Promise<number | undefined> {
  const { rows } = await sql<{ failures: number }>`
    update ${tableOf(kind)} set step_failures = step_failures + 1, step_parked_at = clock_timestamp(), problem = 'internal'
    where id = ${id} and closed_at is null
    returning step_failures as failures`.execute(db)
  return rows[0]?.failures
}

/** When a run that is parked for its step tries again. For queries of its row under this alias. */
export function stepRetryAt(row: string) {
  return sql<Date | null>`${sql.ref(row)}.step_parked_at + ${milliseconds(parkedForMs)}`
}
