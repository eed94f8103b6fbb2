import type { NamedOrganisers, NameOrganisers, Organisers } from '../../contract/answers.ts'
import type { Trx } from '../../db/connect.ts'
import {
  type Answered,
  findAnswered,
  findOrganisers,
  findStrangers,
  type OrganiserRow,
  writeOrganisers,
} from '../../db/queries/answer/organiser.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { lockRow } from '../../db/rows.ts'
import { organisersRefusal } from '../../domain/rights/answers.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { toUtc } from '../instants.ts'
import { refuse } from '../refuse.ts'
import { findInUnits } from '../unit-access.ts'
import { unknownReference } from '../validation-error.ts'

/**
 * Names all organisers of a message or a pattern anew, for an approver of its unit.
 * @throws ServiceError not_found, also for the id of no member of the unit; forbidden
 */
export async function nameOrganisers(
  { db }: Services,
  principal: Principal,
  { kind, id }: Answered,
  { organisers }: NameOrganisers,
): Promise<NamedOrganisers> {
  return db.transaction().execute(async (trx) => {
    const find = (handle: Trx, uuid: string, units: string[]) =>
      findAnswered(handle, { kind, id: uuid }, units)
    const answered = await findInUnits(trx, principal, id, kind, find)
    refuse(organisersRefusal(principal, answered.unitId))
    await lockRow(trx, kind, answered.id, 'change')
    await writeNamed(trx, principal, answered, organisers)
    return { organisers: organisersView(await findOrganisers(trx, answered)) }
  })
}

/** What is answered, and its unit. */
type OfUnit = Answered & { unitId: string }

/**
 * Names the organisers of something under the caller's lock. The audit log records whom.
 * @throws ServiceError not_found for the id of no member of the unit
 */
export async function writeNamed(
  trx: Trx,
  principal: Principal,
  { kind, id, unitId }: OfUnit,
  personIds: readonly string[],
): Promise<void> {
  const actor = actorOf(principal)
  const organisers = [...new Set(personIds)]
  const [stranger] = await findStrangers(trx, unitId, organisers)
  if (stranger !== undefined)
    throw unknownReference(
      'organisers',
      'member',
      `${stranger} is no member of the unit. Name people from the members of GET /v1/units/{id}.`,
    )
  const changed = await writeOrganisers(trx, { kind, id }, { unitId, personIds: organisers, by: actor })
  if (!changed) return
  await insertAudit(trx, {
    ...{ unitId, actor, action: 'name_organisers', objectKind: kind, objectId: id },
    details: { organisers },
  })
}

/** The organisers as the API returns them. */
export function organisersView(rows: readonly OrganiserRow[]): Organisers {
  return rows.map(({ since, ...person }) => ({ ...person, since: toUtc(since) }))
}
