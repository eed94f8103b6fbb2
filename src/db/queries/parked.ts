import { sql } from 'kysely'
import type { Problem } from '../../domain/message-state.ts'
import type { Db } from '../connect.ts'

/** Messages whose send or reminder stands still, by why. */
export type ParkedCounts = Record<Problem, number>

/** Reads a partial index. */
export async function countParked(db: Db): Promise<ParkedCounts> {
  const rows = await db
    .selectFrom('message')
    .select(['problem', sql<number>`count(*)::int`.as('messages')])
    .where('problem', 'is not', null)
    .groupBy('problem')
    .execute()
  const counts = Object.fromEntries(rows.map(({ problem, messages }) => [problem, messages]))
  return { provider: 0, provider_quota: 0, quota: 0, ...counts }
}
