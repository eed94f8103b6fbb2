import { type Insertable, type QueryCreator, sql, type Updateable } from 'kysely'
import { asyncCommit } from '../../async-commit.ts'
import type { Trx } from '../../connect.ts'
import type { AuditTable, Database, MessageRow, MessageTable } from '../../tables.ts'
import { changeInto, type MessageChange } from '../callback/delivery.ts'
import { type NewWave, wavesInto } from '../delivery/wave.ts'

/** Adds what a move writes to other tables, as expressions of its statement; none of them may touch the message's row. */
export type Beside = (query: QueryCreator<Database>) => QueryCreator<Database>

/**
 * A move of a locked message: its columns, its audit rows in their order, and what callbacks are told.
 * `byRun`: the run makes it, and need not wait for the disk. `waves`: those that it opens.
 */
export type MessageMove = {
  id: string
  set: Updateable<MessageTable>
  audits: Insertable<AuditTable>[]
  change: MessageChange
  byRun: boolean
  beside: Beside | null
  waves: readonly NewWave[]
}

/** Writes a move with everything that belongs to it, in one statement; returns the new row, and the ids of its waves by number. */
export async function writeMove(
  trx: Trx,
  { id, set, audits, change, byRun, beside, waves }: MessageMove,
): Promise<{ message: MessageRow; opened: Record<number, string> }> {
  const query: QueryCreator<Database> = beside ? beside(trx) : trx
  const opens = waves.length > 0
  const { opened, ...message } = await (opens
    ? query.with('opened', (at) => wavesInto(at, id, waves))
    : query
  )
    .with('audited', (at) => at.insertInto('audit').values(audits))
    .with('told', (at) => changeInto(at, change))
    .updateTable('message')
    .set({ ...set, changed_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .$if(byRun, (at) => at.where(asyncCommit))
    .returningAll()
    .returning(
      sql<
        Record<number, string>
      >`${opens ? sql`(select json_object_agg(number, id) from opened)` : sql`null::json`}`.as('opened'),
    )
    .executeTakeFirstOrThrow()
  return { message, opened: opened ?? {} }
}
