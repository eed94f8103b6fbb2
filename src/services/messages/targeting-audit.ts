import type { AuditEntry } from '../../db/queries/audit/audit.ts'
import type { NewMessage } from '../../db/queries/message/message.ts'

/** What the audit log says of a message to an audience of individuals: the count, never the uids. */
export function individualEntries(
  id: string,
  { unitId, audience }: Pick<NewMessage, 'unitId' | 'audience'>,
  actor: string,
): AuditEntry[] {
  if (audience.kind !== 'individual') return []
  return [targetingEntry({ id, unitId, count: audience.uids.length, actor })]
}

/** The audit entry of a message that targets so many individuals. */
export function targetingEntry({
  id,
  unitId,
  count,
  actor,
}: {
  id: string
  unitId: string
  count: number
  actor: string
}): AuditEntry {
  return {
    unitId,
    actor,
    action: 'individual_targeting',
    objectKind: 'message',
    objectId: id,
    details: { count },
  }
}
