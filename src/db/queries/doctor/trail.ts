import { sql } from 'kysely'
import { pathFault, type Step } from '../../../domain/audit-path.ts'
import type { MessageState } from '../../../domain/message-state.ts'
import type { Db } from '../../connect.ts'

const messagesAtOnce = 1_000

/**
 * I6: messages whose state and audit rows do not form a legal path. Reads all of them, some at a time; the trail of one
 * whose text is gone may be gone as well.
 */
export async function brokenTrails(db: Db): Promise<string[]> {
  const broken: string[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const trails = await readTrails(db, after)
    for (const { id, state, steps } of trails) {
      const fault = pathFault(steps, state)
      if (fault) broken.push(`message ${id}: ${fault}`)
    }
    if (trails.length < messagesAtOnce) return broken
    after = trails.at(-1)!.id
  }
}

async function readTrails(db: Db, after: string) {
  const { rows } = await sql<{ id: string; state: MessageState; steps: Step[] }>`
    select id, state, (
      select coalesce(json_agg(
        json_build_object('action', action, 'from', from_state, 'to', to_state) order by audit.id
      ), '[]')
      from audit
      where object_kind = 'message' and object_id = message.id::text and to_state is not null
    ) as steps
    from message where id > ${after} and purged_at is null order by id limit ${messagesAtOnce}
  `.execute(db)
  return rows
}
