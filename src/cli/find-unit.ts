import type { Db } from '../db/connect.ts'
import { listUnits, type Unit } from '../db/queries/identity/unit.ts'
import { UsageError } from './errors.ts'

/** A unit by its id or its name. */
export async function findUnit(db: Db, named: string): Promise<Unit> {
  const units = await listUnits(db)
  const found = units.find((unit) => unit.id === named.toLowerCase() || unit.name === named)
  if (found) return found
  const names = units.map((unit) => `  ${unit.id}  ${unit.name}`).join('\n')
  throw new UsageError(
    `No unit ${named}. ${units.length === 0 ? 'Create one: carillon unit create' : `Existing units:\n${names}`}`,
  )
}
