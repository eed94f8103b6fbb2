import type { CreateUnit, EditUnit } from '../../contract/admin/unit.ts'
import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  findUnit,
  hasTimeZone,
  insertUnit,
  listUnits as listRows,
  type Unit,
  updateUnit,
} from '../../db/queries/identity/unit.ts'
import { lockRow } from '../../db/rows.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { changedFields } from '../../domain/lib/changed-fields.ts'
import { byText, type Page, type PageQuery, pageOf } from '../page.ts'
import { validationError } from '../validation-error.ts'
import { assertPresentable } from './presentable.ts'

export async function listUnits(db: Db, query: PageQuery): Promise<Page<Unit>> {
  return pageOf(
    query,
    byText((row: Unit) => row.name),
    (page) => listRows(db, page),
    (row) => row,
  )
}

/**
 * Creates a unit.
 * @throws ServiceError validation_error if another unit has the name or the display name, for an address that no mail
 *   server accepts, for an icon that the chat cannot load, and for a time zone that Postgres does not have
 */
export function createUnit(
  db: Db,
  actor: string,
  unit: Pick<CreateUnit, 'name' | 'kind' | 'timeZone'> & Partial<CreateUnit>,
): Promise<Unit> {
  assertPresentable(unit)
  return named(() =>
    db.transaction().execute(async (trx) => {
      await assertTimeZone(trx, unit.timeZone)
      const row = await insertUnit(trx, unit)
      const audit = { unitId: row.id, actor, action: 'create' }
      await insertAudit(trx, { ...audit, objectKind: 'unit', objectId: row.id })
      return row
    }),
  )
}

/**
 * Changes a unit.
 * @throws ServiceError not_found, and validation_error as `createUnit` does
 */
export function editUnit(db: Db, actor: string, id: string, patch: EditUnit): Promise<Unit> {
  assertPresentable(patch)
  return named(() =>
    db.transaction().execute(async (trx) => {
      await lockRow(trx, 'unit', id, 'change')
      const before = await findUnit(trx, id)
      if (!before) throw noUnit(id)
      const fields = changedFields(before, patch)
      if (fields.length === 0) return before
      if (fields.includes('timeZone')) await assertTimeZone(trx, patch.timeZone)
      const unit = (await updateUnit(trx, id, patch))!
      await insertAudit(trx, {
        unitId: id,
        actor,
        action: 'edit',
        objectKind: 'unit',
        objectId: id,
        details: Object.fromEntries(fields.map((field) => [field, unit[field]])),
      })
      return unit
    }),
  )
}

/** @throws ServiceError not_found */
export async function assertUnit(db: Db, id: string): Promise<void> {
  if (!(await findUnit(db, id))) throw noUnit(id)
}

function noUnit(id: string): ServiceError {
  return new ServiceError('not_found', `No unit ${id}. Check the id.`)
}

/** One unit with a zone that Postgres does not have would stop the numbers of all units, which are counted together. */
async function assertTimeZone(db: Db, timeZone: string | undefined): Promise<void> {
  if (timeZone === undefined || (await hasTimeZone(db, timeZone))) return
  throw validationError([{ path: 'timeZone', ...broken('unknown_time_zone', { value: timeZone }) }])
}

async function named(write: () => Promise<Unit>): Promise<Unit> {
  try {
    return await write()
  } catch (error) {
    const issue = broken('taken', { of: 'unit' })
    if (isUniqueViolation(error, 'unit_name_key')) throw validationError([{ path: 'name', ...issue }])
    if (isUniqueViolation(error, 'unit_display_name'))
      throw validationError([{ path: 'displayName.zh-TW', ...issue }])
    throw error
  }
}
