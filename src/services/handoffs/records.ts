import type { Handoff, HandoffDetail, HandoffPage, HandoffQuery } from '../../contract/handoffs.ts'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  findHandoff,
  findHandoffPerson,
  type HandoffMessageRow,
  type HandoffRow,
  listHandoffMessages,
  listHandoffs as listRows,
} from '../../db/queries/handoff/records.ts'
import { handoffRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { actorView } from '../actor.ts'
import type { Services } from '../context.ts'
import { toInstant } from '../instants.ts'
import { byId, pageOf } from '../page.ts'
import { refuse } from '../refuse.ts'
import { mayReadRunNames } from '../run-names.ts'
import { findInUnits, unitOf } from '../unit-access.ts'

/**
 * One page of a unit's handoffs, newest first. The audit log records who read them.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listHandoffs(
  { db }: Services,
  principal: Principal,
  query: HandoffQuery,
): Promise<HandoffPage> {
  refuse(handoffRefusal(principal))
  const unitId = unitOf(principal, query.unitId)
  const filter = { unitId, states: query.state }
  const names = await mayReadRunNames(db, principal, unitId)
  const page = await pageOf(
    query,
    byId,
    (rows) => listRows(db, filter, rows),
    (row) => handoffOf(row, names),
  )
  await auditReading(db, principal, { unitId, objectId: 'all' })
  return page
}

/**
 * A handoff with its conversation. The audit log records who read it.
 * @throws ServiceError not_found, forbidden
 */
export async function getHandoff({ db }: Services, principal: Principal, id: string): Promise<HandoffDetail> {
  const row = await findInUnits(db, principal, id, 'handoff', findHandoff)
  refuse(handoffRefusal(principal))
  await auditReading(db, principal, { unitId: row.unitId, objectId: row.id })
  const messages = await listHandoffMessages(db, row.id, {
    messages: limits.messagesPerHandoff,
    characters: limits.handoffCharacters,
  })
  const total = messages[0]?.total ?? 0
  const names = await mayReadRunNames(db, principal, row.unitId)
  const person = row.subjectId === null ? undefined : await findHandoffPerson(db, row.subjectId)
  return {
    ...handoffOf(row, names),
    person: person ?? null,
    messages: messages.toReversed().map(messageOf),
    omitted: total - messages.length,
  }
}

/** Records who read a handoff, or `all` of a unit. */
export function auditReading(
  db: Db,
  principal: Principal,
  about: { unitId: string; objectId: string },
): Promise<void> {
  return insertAudit(db, { ...about, actor: actorOf(principal), action: 'read', objectKind: 'handoff' })
}

/**
 * `names`: the caller may also read which run waits for it, and at which node: the way there is what the person
 * answered.
 */
function handoffOf(
  { runId, node, closedBy, closedByName, openedAt, lastMessageAt, closedAt, ...row }: HandoffRow,
  names: boolean,
): Handoff {
  return {
    ...row,
    ...(names && { runId, node }),
    state: closedAt === null ? 'open' : 'closed',
    openedBy: runId === null ? 'assistant' : 'scenario',
    openedAt: openedAt.toISOString(),
    lastMessageAt: lastMessageAt.toISOString(),
    closedAt: toInstant(closedAt),
    closedBy: closedBy === null ? null : actorView(closedBy, closedByName),
  }
}

function messageOf({ id, at, text, turnId, says, actor, actorName, state, reason }: HandoffMessageRow) {
  return {
    id,
    at: at.toISOString(),
    text,
    state,
    reason,
    from: turnId === null ? ('person' as const) : ('unit' as const),
    messages: says?.flatMap(({ messages }) => messages) ?? null,
    by: actor === null ? null : actorView(actor, actorName),
  }
}
