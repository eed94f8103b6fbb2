import { limits } from '../../contract/limits.ts'
import { listOpenHandoffs, type OpenHandoff } from '../../db/queries/handoff/open.ts'
import { findUnits, type Unit } from '../../db/queries/identity/unit.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { type Key, type Page, pageOf } from '../page.ts'
import { unitOf } from '../unit-access.ts'
import { auditReading } from './records.ts'

/** The open handoffs of one unit, and the cursor of those that follow. */
export type OpenInUnit = Page<OpenHandoff> & { unit: Unit }

/**
 * The open handoffs of each unit of a person, by its name, what waits for an answer first; with `page`, one page of one
 * of them. The audit log records who read them.
 * @throws ServiceError forbidden, validation_error for an invalid cursor
 */
export async function openHandoffsFor(
  { db }: Services,
  principal: PersonPrincipal,
  page?: { unitId: string; cursor: string },
): Promise<OpenInUnit[]> {
  const ids = page
    ? [unitOf(principal, page.unitId)]
    : principal.memberships.map((membership) => membership.unitId)
  const units = await findUnits(db, ids)
  const query = { limit: limits.pageSize, ...(page && { cursor: page.cursor }) }
  return Promise.all(
    units.map(async (unit) => {
      const page = await pageOf(
        query,
        byTurn,
        (rows) => listOpenHandoffs(db, unit.id, rows),
        (row) => row,
      )
      await auditReading(db, principal, { unitId: unit.id, objectId: 'all' })
      return { unit, ...page }
    }),
  )
}

/** In the order in which they are answered. */
const byTurn: Key<OpenHandoff, Pick<OpenHandoff, 'answered' | 'spoken' | 'id'>> = {
  of: ({ answered, spoken, id }) => `${Number(answered)} ${spoken} ${id}`,
  read(text) {
    const [, answered, spoken, named] = /^([01]) (\d{1,16}) (.+)$/.exec(text) ?? []
    const id = idOrNull(named)
    return spoken !== undefined && id !== null
      ? { answered: answered === '1', spoken: Number(spoken), id }
      : null
  },
}
