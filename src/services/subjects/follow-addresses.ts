import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { adoptHandoffs, closeUnbound } from '../../db/queries/handoff/address.ts'

/**
 * Follows a change of the chat addresses of these people, in its transaction: a handoff belongs to one person, and never
 * passes with the address to the next one (docs/design/handoffs.md). Requires the locks of the people.
 */
export async function followAddresses(trx: Trx, subjectIds: readonly string[]): Promise<void> {
  for (const { id, unitId } of await closeUnbound(trx, subjectIds)) {
    const about = { unitId, actor: 'system:run', objectKind: 'handoff', objectId: id } as const
    await insertAudit(trx, { ...about, action: 'close', reason: 'unbound' })
  }
  await adoptHandoffs(trx, subjectIds)
}
