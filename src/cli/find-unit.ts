import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import { listUnits, type Unit } from '../db/queries/identity/unit.ts'

/**
 * A unit by its id or its name.
 * @throws ServiceError not_found
 */
export async function findUnit(db: Db, named: string): Promise<Unit> {
  const units = await listUnits(db)
  const match = units.find((unit) => unit.id === named.toLowerCase() || unit.name === named)
  if (match) return match
  const names = units.map((unit) => `  ${unit.id}  ${unit.name}`).join('\n')
  throw new ServiceError(
    'not_found',
    `No unit ${named}. ${units.length === 0 ? 'Create one: carillon unit create' : `Existing units:\n${names}`}`,
  )
}
