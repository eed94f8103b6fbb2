import { sql } from 'kysely'
import { type RunName, runKinds } from '../../../domain/run/run-kinds.ts'
import type { Db } from '../../connect.ts'
import { traceparentOf } from './summary.ts'

/** The span that the row of a run stands in; null if it was written while nothing was recorded. */
export async function findTraceparent(db: Db, { kind, id }: RunName): Promise<string | null> {
  const { rows } = await sql<{ traceparent: string | null }>`
    select ${traceparentOf[kind]} as traceparent from ${sql.table(runKinds[kind].table)} where id = ${id}`.execute(
    db,
  )
  return rows[0]?.traceparent ?? null
}
