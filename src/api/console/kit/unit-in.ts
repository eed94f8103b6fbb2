import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { Session } from '../../../contract/identity/sign-in.ts'
import type { Db } from '../../../db/connect.ts'
import { findUnits, type Unit } from '../../../db/queries/identity/unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { unitCookie } from '../../auth/cookies.ts'

type Member = Pick<Session, 'units'>

/** Where the switch of the menu posts to. */
export const switchUnitPath = '/unit'

/**
 * The unit whose lists a reader sees: the one that the address names, or else the one that they have chosen, or else their
 * first; null: they have none. An address may name one that is not theirs.
 */
export function unitIdOf({ units }: Member, { query, cookies }: FastifyRequest): string | null {
  const { unit } = query as { unit?: unknown }
  if (typeof unit === 'string' && unit !== '') return unit
  return (units.find(({ id }) => id === cookies[unitCookie]) ?? units[0])?.id ?? null
}

/**
 * The unit that a page is about.
 * @throws ServiceError not_found for a unit that is not the reader's, or if they have none
 */
export async function unitIn(db: Db, member: Member, request: FastifyRequest): Promise<Unit> {
  const unitId = unitIdOf(member, request)
  const own = member.units.filter(({ id }) => id === unitId)
  const [unit] = await findUnits(
    db,
    own.map(({ id }) => id),
  )
  if (unit) return unit
  throw new ServiceError('not_found', 'No such unit. Choose one of yours.')
}

/** The unit that a page is about, in its form: what is posted belongs to it, whatever is chosen meanwhile. */
export function unitField({ id }: Pick<Unit, 'id'>): Markup {
  return html`<input type="hidden" name="unit" value="${id}">`
}
