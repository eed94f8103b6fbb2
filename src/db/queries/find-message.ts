import { sql } from 'kysely'
import { anyOf } from '../any-of.ts'
import type { Db } from '../connect.ts'
import type { MessageRow } from './locked-message.ts'

/** A message as it stands, without a lock, and the moment (ms since the epoch) at which Postgres read it. */
export async function findMessage(
  db: Db,
  id: string,
  unitIds: string[],
): Promise<{ message: MessageRow; now: number } | undefined> {
  const row = await db
    .selectFrom('message')
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('id', '=', id)
    .where('unit_id', '=', anyOf(unitIds))
    .executeTakeFirst()
  if (!row) return undefined
  const { now, ...message } = row
  return { message, now: now.getTime() }
}
