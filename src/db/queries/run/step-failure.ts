import { sql } from 'kysely'
import type { Db } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import { insertAuthorNotices } from '../message/author-notice.ts'

/** Failures in a row after which a message is parked. */
const failuresMost = 20
/** How long its run then waits before it tries again. */
const parkedForMs = 3_600_000

/** Counts a failure of a message's step. Returns whether the message is parked for it now. */
export async function countStepFailure(db: Db, messageId: string): Promise<boolean> {
  const { rows } = await sql<{ parked: boolean }>`
    update message set step_failures = step_failures + 1,
      step_parked_at = case when step_failures + 1 >= ${failuresMost}::int then clock_timestamp() end,
      problem = case when step_failures + 1 >= ${failuresMost}::int then 'internal' else problem end
    where id = ${messageId} and closed_at is null
    returning step_parked_at is not null as parked`.execute(db)
  const parked = rows[0]?.parked ?? false
  if (parked) await insertAuthorNotices(db, messageId, 'parked')
  return parked
}

/** When the run of a message that is parked for its step tries again. For queries of `message` under this alias. */
export function stepRetryAt(message: string) {
  return sql<Date | null>`${sql.ref(message)}.step_parked_at + ${milliseconds(parkedForMs)}`
}
