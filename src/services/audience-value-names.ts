import type { ValueDimension } from '../contract/audience-values.ts'
import { valueDimensions } from '../contract/audience-values.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { Db } from '../db/connect.ts'
import { findValueNames } from '../db/queries/audience/value-names.ts'

/** What people call a value of an audience; null: it has no name. */
export type ValueNames = (dimension: ValueDimension, value: string) => LocalisedText | null

/** The values that an audience chooses by, in each dimension whose values can have names. */
type Values = { [dimension in ValueDimension]?: readonly string[] | undefined }
type AnyAudience = Values & { kind: string; exclude?: Values | undefined }

/** The names of all values in these audiences. */
export async function valueNamesIn(db: Db, audiences: readonly AnyAudience[]): Promise<ValueNames> {
  const lists = audiences.flatMap((one) => [one, one.exclude ?? {}])
  const values = lists.flatMap((list) =>
    valueDimensions.flatMap((dimension) => (list[dimension] ?? []).map((value) => ({ dimension, value }))),
  )
  const rows = values.length === 0 ? [] : await findValueNames(db, values)
  const names = new Map(rows.map(({ dimension, value, name }) => [`${dimension} ${value}`, name]))
  return (dimension, value) => names.get(`${dimension} ${value}`) ?? null
}
