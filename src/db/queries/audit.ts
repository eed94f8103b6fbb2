import type { Db } from '../connect.ts'

export type AuditEntry = {
  unitId: string | null
  actor: string
  action: string
  objectKind:
    | 'message'
    | 'template'
    | 'key'
    | 'session'
    | 'unit'
    | 'member'
    | 'person'
    | 'category'
    | 'topic'
    | 'group'
    | 'quota'
    | 'subject'
    | 'callback'
    | 'retention'
    | 'event_binding'
    | 'import'
  objectId: string
  reason?: string
  details?: unknown
}

/** Writes down who did what. Moves of messages are written by services/move.ts; this is for everything else. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      unit_id: entry.unitId,
      actor: entry.actor,
      action: entry.action,
      object_kind: entry.objectKind,
      object_id: entry.objectId,
      reason: entry.reason ?? null,
      details: entry.details === undefined ? null : JSON.stringify(entry.details),
    })
    .execute()
}
