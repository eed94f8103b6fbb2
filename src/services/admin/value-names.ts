import type {
  SetValueNames,
  ValueName,
  ValueNameCount,
  ValueNameQuery,
} from '../../contract/admin/value-name.ts'
import { bounds } from '../../contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import {
  listValueNames as listRows,
  setValueNames as setRows,
} from '../../db/queries/audience/value-names.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { hasRoom } from '../../db/queries/bound.ts'
import { tooMany } from '../bounds.ts'
import { assertVisible } from '../catalogue/visible-name.ts'
import { byText, type Page, pageOf } from '../page.ts'

/** One page of the names of the values of a dimension. */
export function listValueNames(db: Db, { dimension, ...query }: ValueNameQuery): Promise<Page<ValueName>> {
  const byValue = byText(({ value }: ValueName) => value)
  return pageOf(
    query,
    byValue,
    (page) => listRows(db, dimension, page),
    (row) => row,
  )
}

/**
 * Sets what people call values of a dimension.
 * @throws ServiceError validation_error if a name has invisible characters, or if there were too many of them
 */
export async function setValueNames(
  db: Db,
  actor: string,
  { dimension, names }: SetValueNames,
): Promise<ValueNameCount> {
  for (const { name } of names) if (name) assertVisible(name)
  const last = [...new Map(names.map((one) => [one.value, one])).values()]
  const changed = await db.transaction().execute(async (trx) => {
    const count = await setRows(trx, dimension, last)
    if (count === 0) return 0
    if (!(await hasRoom(trx, 'valueNames', null, bounds.valueNames.most + 1))) throw tooMany('valueNames')
    const audit = { unitId: null, actor, action: 'set', details: { changed: count } }
    await insertAudit(trx, { ...audit, objectKind: 'value_name', objectId: dimension })
    return count
  })
  return { changed }
}
