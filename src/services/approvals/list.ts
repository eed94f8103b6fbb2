import type { WaitingApproval, WaitingApprovalQuery } from '../../contract/approvals.ts'
import { type ApprovalKind, approvalKinds } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { listUrgent, listWaiting, type Waiting } from '../../db/queries/approval/waiting.ts'
import { findUnits, type Unit } from '../../db/queries/identity/unit.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { PersonPrincipal, Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { type Key, type Page, pageOf } from '../page.ts'
import { unitOf } from '../unit-access.ts'
import type { WaitingItem } from './kind.ts'
import { kinds } from './kinds.ts'

/**
 * One page of what waits for approval in a unit, the oldest first. What has been decided meanwhile is left out.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listApprovals(
  services: Services,
  principal: Principal,
  query: WaitingApprovalQuery,
): Promise<Page<WaitingApproval>> {
  const unitId = unitOf(principal, query.unitId)
  const { items, nextCursor } = await pageOf(
    query,
    bySinceAndId,
    (page) => listWaiting(services.db, unitId, page),
    (row) => row,
  )
  return { items: await shownOf(services, principal, items), nextCursor }
}

/**
 * What waits in one unit, the most urgent first. `total`: how much of it fits the search; `next`: how many are before the
 * next page, null: there is none.
 */
export type WaitingInUnit = { unit: Unit; items: WaitingApproval[]; total: number; next: number | null }

/** `text`: words of a title; `skip`: how many of one unit are on the pages before. */
type UrgentQuery = { text?: string; limit?: number; page?: { unitId: string; skip: number } | null }

/**
 * What waits in each unit of which the person is an approver, by name; with `page`, one page of one of them.
 * @throws ServiceError forbidden
 */
export async function waitingFor(
  services: Services,
  principal: PersonPrincipal,
  { text = '', limit = limits.pageSize, page = null }: UrgentQuery = {},
): Promise<WaitingInUnit[]> {
  const approving = principal.memberships.filter(({ roles }) => roles.includes('approver'))
  const ids = page ? [unitOf(principal, page.unitId)] : approving.map(({ unitId }) => unitId)
  const units = await findUnits(services.db, ids)
  const skip = page?.skip ?? 0
  return Promise.all(
    units.map(async (unit) => {
      const { total, rows } = await listUrgent(services.db, unit.id, { text, skip, limit })
      const end = skip + rows.length
      return {
        unit,
        items: await shownOf(services, principal, rows),
        total,
        next: end < total ? end : null,
      }
    }),
  )
}

/** What is shown beside one thing that waits, at most. */
const shownBeside = 20

/** The most urgent of what waits in a unit, to go on with one after the other; none unless the person is its approver. */
export async function waitingBeside(
  services: Services,
  principal: PersonPrincipal,
  unitId: string,
): Promise<WaitingApproval[]> {
  const unit = principal.memberships.find((one) => one.unitId === unitId)
  if (!unit?.roles.includes('approver')) return []
  const { rows } = await listUrgent(services.db, unitId, { text: '', skip: 0, limit: shownBeside })
  return shownOf(services, principal, rows)
}

const bySinceAndId: Key<Waiting, Pick<Waiting, 'since' | 'id'>> = {
  of: ({ since, id }) => `${since} ${id}`,
  read(text) {
    const [, since, named] = /^(\d{1,16}) (.+)$/.exec(text) ?? []
    const id = idOrNull(named)
    return since !== undefined && id !== null ? { since: Number(since), id } : null
  },
}

/** These as the caller may see them, in the same order. */
async function shownOf(
  services: Services,
  principal: Principal,
  rows: readonly Waiting[],
): Promise<WaitingApproval[]> {
  const byId = await itemsOf(services, principal, rows)
  return rows.flatMap(({ kind, id, since }) => {
    const item = byId.get(id)
    return item ? [{ kind, ...item, since: new Date(since / 1_000).toISOString() }] : []
  })
}

async function itemsOf(
  services: Services,
  principal: Principal,
  rows: readonly Waiting[],
): Promise<Map<string, WaitingItem>> {
  const idsOf = (kind: ApprovalKind) => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const items = await Promise.all(
    approvalKinds.map((kind) => {
      const ids = idsOf(kind)
      return ids.length > 0 ? kinds[kind].list(services, principal, ids) : []
    }),
  )
  return new Map(items.flat().map((item) => [item.id, item]))
}
