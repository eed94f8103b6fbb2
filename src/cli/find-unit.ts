import type { Db } from '../db/connect.ts'
import { listUnits, type Unit } from '../db/queries/unit.ts'
import { UsageError } from './wrong.ts'

/** A unit by its id or, where only one is called so, its name. */
export async function findUnit(db: Db, named: string): Promise<Unit> {
  const units = await listUnits(db)
  const found = units.filter((unit) => unit.id === named || unit.name === named)
  if (found.length === 1) return found[0]!
  const names = units.map((unit) => `  ${unit.id}  ${unit.name}`).join('\n')
  const why = found.length === 0 ? `There is no unit ${named}.` : `Several units are called ${named}.`
  throw new UsageError(
    `${why} ${units.length === 0 ? 'Make one: carillon unit create' : `Use an id:\n${names}`}`,
  )
}
