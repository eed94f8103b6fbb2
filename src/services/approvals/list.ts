import type { WaitingApproval, WaitingApprovalQuery } from '../../contract/approvals.ts'
import { type ApprovalKind, approvalKinds } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { listWaiting, type Waiting } from '../../db/queries/approval/waiting.ts'
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
  const byId = await itemsOf(services, principal, items)
  return {
    items: items.flatMap(({ kind, id, since }) => {
      const item = byId.get(id)
      return item ? [{ kind, ...item, since: new Date(since / 1_000).toISOString() }] : []
    }),
    nextCursor,
  }
}

/** What waits in one unit, and the cursor of what follows. */
export type WaitingInUnit = Page<WaitingApproval> & { unit: Unit }

/**
 * What waits in each unit of which the person is an approver, by name; with `page`, one page of one of them.
 * @throws ServiceError forbidden, validation_error for an invalid cursor
 */
export async function waitingFor(
  services: Services,
  principal: PersonPrincipal,
  page?: { unitId: string; cursor: string },
): Promise<WaitingInUnit[]> {
  const approving = principal.memberships.filter(({ roles }) => roles.includes('approver'))
  const ids = page ? [unitOf(principal, page.unitId)] : approving.map(({ unitId }) => unitId)
  const units = await findUnits(services.db, ids)
  const query = { limit: limits.pageSize, ...(page && { cursor: page.cursor }) }
  return Promise.all(
    units.map(async (unit) => ({
      unit,
      ...(await listApprovals(services, principal, { ...query, unitId: unit.id })),
    })),
  )
}

/** What is shown beside one thing that waits, at most. */
const shownBeside = 20

/** The first of what waits in a unit, to go on with one after the other; none unless the person is its approver. */
export async function waitingBeside(
  services: Services,
  principal: PersonPrincipal,
  unitId: string,
): Promise<WaitingApproval[]> {
  const unit = principal.memberships.find((one) => one.unitId === unitId)
  if (!unit?.roles.includes('approver')) return []
  return (await listApprovals(services, principal, { unitId, limit: shownBeside })).items
}

const bySinceAndId: Key<Waiting, Pick<Waiting, 'since' | 'id'>> = {
  of: ({ since, id }) => `${since} ${id}`,
  read(text) {
    const [, since, named] = /^(\d{1,16}) (.+)$/.exec(text) ?? []
    const id = idOrNull(named)
    return since !== undefined && id !== null ? { since: Number(since), id } : null
  },
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
