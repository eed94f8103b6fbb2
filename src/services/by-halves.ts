import { type Db, takesWrites } from '../db/connect.ts'

/**
 * Works off items together. Where that fails while the database takes writes, tries each half by itself, until what fails
 * stands alone and is put off: so one that always fails keeps none of the others waiting. Returns what the work returned.
 */
export async function byHalves<Item, Result>(
  db: Db,
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Result>,
  putOff: (item: Item, error: unknown) => Promise<unknown>,
): Promise<Result[]> {
  if (items.length === 0) return []
  try {
    return [await work(items)]
  } catch (error) {
    if (!(await takesWrites(db))) throw error
    if (items.length === 1) {
      await putOff(items[0]!, error)
      return []
    }
    const half = Math.ceil(items.length / 2)
    const one = await byHalves(db, items.slice(0, half), work, putOff)
    return [...one, ...(await byHalves(db, items.slice(half), work, putOff))]
  }
}
