import type { FastifyRequest } from 'fastify'
import type { Locale } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import type { Session } from '../../../contract/identity/sign-in.ts'
import type { Db } from '../../../db/connect.ts'
import { findUnits, type Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'

/**
 * The unit that the address of a page names, by default the first of the reader, and all of theirs for the switch.
 * @throws ServiceError not_found for a unit that is not the reader's, or if they have none
 */
export async function unitIn(
  db: Db,
  { units: own }: Pick<Session, 'units'>,
  { query }: FastifyRequest,
): Promise<{ units: Unit[]; unit: Unit }> {
  const { unit: unitId } = query as { unit?: unknown }
  const rows = await findUnits(
    db,
    own.map(({ id }) => id),
  )
  const units = own.flatMap(({ id }) => rows.filter((one) => one.id === id))
  const unit = unitId ? units.find(({ id }) => id === unitId) : units[0]
  if (unit) return { units, unit }
  throw new ServiceError('not_found', 'No such unit. Choose one of yours.')
}

const label: Record<Locale, string> = { 'zh-TW': '單位', en: 'Unit' }

/** The unit that a page is about, in its form: to be chosen where the reader has several. */
export function unitPick(locale: Locale, units: readonly Unit[], unit: Unit): Markup {
  if (units.length < 2) return html`<input type="hidden" name="unit" value="${unit.id}">`
  const choices = units.map(
    (one) =>
      html`<option value="${one.id}"${one.id === unit.id ? html` selected` : html``}>${shownName(locale, one)}</option>`,
  )
  return html`<label>${label[locale]}<select name="unit">${choices}</select></label>`
}
