import { sql } from 'kysely'
import type { HandoffEnd } from '../../../contract/enums.ts'
import type { Db } from '../../connect.ts'
import { actorName } from '../identity/person.ts'
import { type TracedTurn, turnColumns } from './run.ts'

/** The rows of handoffs, for `carillon trace`. */

export type TracedHandoff = {
  id: string
  unitId: string
  /** Null: erased, past retention, or bound to nobody. */
  subjectId: string | null
  node: string | null
  test: boolean
  openedAt: Date
  closedAt: Date | null
  closedBy: string | null
  closedByName: string | null
  endReason: HandoffEnd | null
  replies: TracedReply[]
}

/** A reply, and when it was stored, by whom. */
export type TracedReply = TracedTurn & { actor: string | null; actorName: string | null }

/** A handoff by its id, or by that of one of its replies; or those that a run has opened, in order. */
export async function tracedHandoffs(
  db: Db,
  which: { id: string } | { runId: string },
): Promise<TracedHandoff[]> {
  const wanted =
    'runId' in which
      ? sql`run_id = ${which.runId}`
      : sql`id = coalesce((select handoff_id from turn where id = ${which.id}),
          (select handoff_id from handoff_message where id = ${which.id}), ${which.id})`
  const { rows } = await sql<Omit<TracedHandoff, 'replies'>>`
    select id, unit_id as "unitId", subject_id as "subjectId", node, test, opened_at as "openedAt",
      closed_at as "closedAt", closed_by as "closedBy", ${actorName(sql.ref('closed_by'))} as "closedByName",
      end_reason as "endReason"
    from handoff where ${wanted} order by id`.execute(db)
  return Promise.all(rows.map(async (row) => ({ ...row, replies: await tracedReplies(db, row.id) })))
}

async function tracedReplies(db: Db, handoffId: string): Promise<TracedReply[]> {
  const { rows } = await sql<TracedReply>`
    select ${turnColumns}, message.actor, ${actorName(sql.ref('message.actor'))} as "actorName"
    from turn left join handoff_message as message on message.turn_id = turn.id
    where turn.handoff_id = ${handoffId} order by number`.execute(db)
  return rows
}
