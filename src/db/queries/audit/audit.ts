import { type Insertable, sql } from 'kysely'
import type { AuditedKind } from '../../../contract/enums.ts'
import type { AuditedMove } from '../../../domain/message/signals-of-moves.ts'
import type { Db } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'
import type { AuditTable } from '../../tables.ts'
import { actorName } from '../identity/person.ts'

export type AuditEntry = {
  unitId: string | null
  actor: string
  action: string
  objectKind: AuditedKind
  objectId: string
  reason?: string
  details?: unknown
}

/** Writes an audit row. For everything except moves of messages, which services/messages/move.ts audits. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit').values(auditRowOf(entry)).execute()
}

/** The row of an entry, to be written with others. */
export function auditRowOf({ unitId, objectKind, objectId, details, ...entry }: AuditEntry) {
  return {
    unit_id: unitId,
    actor: entry.actor,
    action: entry.action,
    object_kind: objectKind,
    object_id: objectId,
    reason: entry.reason ?? null,
    details: details === undefined ? null : JSON.stringify(details),
  } satisfies Insertable<AuditTable>
}

/** What the log has of a message at these versions. */
export async function findAuditedMoves(
  db: Db,
  messageId: string,
  versions: readonly number[],
): Promise<AuditedMove[]> {
  return db
    .selectFrom('audit')
    .select(['action', 'actor', 'version'])
    .where('object_kind', '=', 'message')
    .where('object_id', '=', messageId)
    .where('version', '=', sql<number>`any(${versions}::integer[])`)
    .execute()
}

type AuditFilter = {
  /** null: entries that belong to no unit. */
  unitId: string | null
  /** Whether the entries may name people. Otherwise those of what a scenario changed of somebody are left out. */
  names: boolean
  objectKind?: string
  objectId?: string
  actor?: string
  /** From inclusive, to exclusive. */
  from?: string
  to?: string
} & RowPage<number>

/** Audit entries, newest first. Indexes: audit_unit, audit_object, and audit_person for the entries of one person. */
export async function listAuditRows(db: Db, filter: AuditFilter) {
  const { unitId, names, objectKind, objectId, actor, from, to, after, limit } = filter
  return (
    db
      .selectFrom('audit as a')
      .select([
        'a.id',
        'a.at',
        'a.unit_id as unitId',
        'a.actor',
        'a.action',
        'a.version',
        'a.reason',
        'a.details',
      ])
      .select(['a.object_kind as objectKind', 'a.object_id as objectId'])
      .select(['a.from_state as fromState', 'a.to_state as toState'])
      .select(({ ref }) => actorName(ref('a.actor')).as('actorName'))
      .where('a.unit_id', unitId === null ? 'is' : '=', unitId)
      .$if(!names, (query) =>
        query
          .where(sql<boolean>`not (a.object_kind in ('subject', 'group') and a.actor like 'scenario:%')`)
          .$if(actor?.startsWith('recipient:') === true, (ofOne) => ofOne.where(sql.lit(false))),
      )
      .$if(objectKind !== undefined, (query) => query.where('a.object_kind', '=', objectKind!))
      .$if(objectId !== undefined, (query) => query.where('a.object_id', '=', objectId!))
      .$if(actor !== undefined, (query) => query.where('a.actor', '=', actor!))
      // The planner uses the partial index audit_person only if the query contains its condition.
      .$if(actor?.startsWith('person:') === true, (query) =>
        query.where('a.actor', 'like', sql.lit('person:%')),
      )
      .$if(from !== undefined, (query) => query.where('a.at', '>=', new Date(from!)))
      .$if(to !== undefined, (query) => query.where('a.at', '<', new Date(to!)))
      .$if(after !== null, (query) =>
        query.where(sql<boolean>`(a.at, a.id) < (select c.at, c.id from audit c where c.id = ${after})`),
      )
      .orderBy('a.at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(limit)
      .execute()
  )
}
export type AuditRow = Awaited<ReturnType<typeof listAuditRows>>[number]
