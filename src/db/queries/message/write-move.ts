import { type Insertable, type QueryCreator, sql, type UpdateObject } from 'kysely'
import { asyncCommit } from '../../async-commit.ts'
import type { Trx } from '../../connect.ts'
import type { AuditTable, Database, MessageRow } from '../../tables.ts'
import { changeInto, type MessageChange } from '../callback/delivery.ts'
import { type ChangedWave, type NewWave, waveStateInto, wavesInto } from '../delivery/wave.ts'

/** Adds what a move writes to other tables, as expressions of its statement; none of them may touch the message's row. */
export type ExtraCte = (query: QueryCreator<Database>) => QueryCreator<Database>

/** What a move writes of a message's row. */
export type MovedColumns = UpdateObject<Database, 'message'>

/**
 * A move of a locked message: its columns, its audit rows in their order, and the events of callbacks.
 * `byRun`: the run makes it, and need not wait for the disk. `closes`: the message ends with it (`closing`).
 * `opened`: the waves that it opens; `changed`: others, with their new states.
 */
type MessageMove = {
  id: string
  set: MovedColumns
  audits: Insertable<AuditTable>[]
  change: MessageChange
  byRun: boolean
  extraCte: ExtraCte | null
  closes: boolean
  opened: readonly NewWave[]
  changed: readonly ChangedWave[]
}

/** What the row of a message says from its end on: its run ends, and the reconciler ignores it. */
export const closing = { closed_at: sql<Date>`clock_timestamp()`, next_wakeup_at: null, problem: null }

/**
 * Writes a move with everything that belongs to it, in one statement; returns the new row, and the ids of the waves that
 * it has opened, by number.
 */
export async function writeMove(
  trx: Trx,
  { id, set, audits, change, byRun, extraCte, closes, ...waves }: MessageMove,
): Promise<{ message: MessageRow; opened: Record<number, string> }> {
  const { opened, ...message } = await withWaves(extraCte ? extraCte(trx) : trx, id, waves)
    .with('audited', (at) => at.insertInto('audit').values(audits))
    .with('reported', (at) => changeInto(at, change))
    .updateTable('message')
    .set({ ...set, changed_at: sql<Date>`clock_timestamp()`, ...(closes && closing) })
    .where('id', '=', id)
    .$if(byRun, (at) => at.where(asyncCommit))
    .returningAll()
    .returning(idsOf(waves.opened).as('opened'))
    .executeTakeFirstOrThrow()
  return { message, opened: opened ?? {} }
}

function idsOf(opened: readonly NewWave[]) {
  if (opened.length === 0) return sql<Record<number, string> | null>`null::json`
  return sql<Record<number, string> | null>`(select json_object_agg(number, id) from opened)`
}

function withWaves(
  query: QueryCreator<Database>,
  id: string,
  { opened, changed }: Pick<MessageMove, 'opened' | 'changed'>,
): QueryCreator<Database> {
  const start = opened.length > 0 ? query.with('opened', (at) => wavesInto(at, id, opened)) : query
  return changed.reduce<QueryCreator<Database>>(
    (sum, one) => sum.with(`wave_${one.wave.number}`, (at) => waveStateInto(at, one)),
    start,
  )
}
