import type { NamedOrganisers, NameOrganisers, Organisers } from '../../contract/answers.ts'
import type { Trx } from '../../db/connect.ts'
import {
  type Answered,
  findOrganisers,
  findStrangers,
  type OrganiserRow,
  writeOrganisers,
} from '../../db/queries/answer/organiser.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import { findPattern } from '../../db/queries/pattern/pattern.ts'
import { lockRow } from '../../db/rows.ts'
import { organisersRefusal } from '../../domain/rights/answers.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { toUtc } from '../instants.ts'
import { refuse } from '../refuse.ts'
import { findInUnits } from '../unit-access.ts'
import { unknownReference } from '../validation-error.ts'

/** Changes the organisers of a message, as `change` says. */
export function nameMessageOrganisers(
  services: Services,
  principal: Principal,
  id: string,
  named: NameOrganisers,
): Promise<NamedOrganisers> {
  return change(services, principal, named, async (trx) => {
    const { message } = await findInUnits(trx, principal, id, 'message', findMessage)
    return { kind: 'message', id: message.id, unitId: message.unit_id }
  })
}

/** Changes the organisers of a pattern, as `change` says. */
export function namePatternOrganisers(
  services: Services,
  principal: Principal,
  id: string,
  named: NameOrganisers,
): Promise<NamedOrganisers> {
  return change(services, principal, named, async (trx) => {
    const pattern = await findInUnits(trx, principal, id, 'pattern', findPattern)
    return { kind: 'pattern', id: pattern.id, unitId: pattern.unitId }
  })
}

/** What is answered, and its unit. */
type OfUnit = Answered & { unitId: string }

/**
 * Names all organisers of something anew, for an approver of its unit.
 * @throws ServiceError not_found, also for the id of no member of the unit; forbidden
 */
async function change(
  { db }: Services,
  principal: Principal,
  { organisers }: NameOrganisers,
  find: (trx: Trx) => Promise<OfUnit>,
): Promise<NamedOrganisers> {
  return db.transaction().execute(async (trx) => {
    const answered = await find(trx)
    refuse(organisersRefusal(principal, answered.unitId))
    await lockRow(trx, answered.kind, answered.id, 'change')
    await writeNamed(trx, principal, answered, organisers)
    return { organisers: organisersView(await findOrganisers(trx, answered)) }
  })
}

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
