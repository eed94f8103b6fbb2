import { sql } from 'kysely'
import type { ValueDimension } from '../../../contract/audience-values.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { Db, Trx } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'

/** What people call a value of a dimension. */
export type ValueName = { dimension: ValueDimension; value: string; name: LocalisedText }

/** The names of the values of a dimension, in the order of the values. */
export async function listValueNames(db: Db, dimension: ValueDimension, page: RowPage): Promise<ValueName[]> {
  return db
    .selectFrom('value_name')
    .select(['dimension', 'value', 'name'])
    .where('dimension', '=', dimension)
    .$if(page.after !== null, (query) => query.where('value', '>', page.after!))
    .orderBy('value')
    .limit(page.limit)
    .execute()
}

/** The names of these values, of those that have one. */
export async function findValueNames(
  db: Db,
  values: readonly Pick<ValueName, 'dimension' | 'value'>[],
): Promise<ValueName[]> {
  const { rows } = await sql<ValueName>`
    select dimension, value, name from value_name
    join jsonb_to_recordset(${JSON.stringify(values)}) as asked (dimension text, value text) using (dimension, value)`.execute(
    db,
  )
  return rows
}

/** Sets the names of values, each of which is there once; null removes one. Returns how many it changed. */
export async function setValueNames(
  trx: Trx,
  dimension: ValueDimension,
  names: readonly { value: string; name: LocalisedText | null }[],
): Promise<number> {
  const { rows } = await sql`
    with given as (
      select value, nullif(name, 'null') as name
      from jsonb_to_recordset(${JSON.stringify(names)}) as given (value text, name jsonb)
    ), removed as (
      delete from value_name using given
      where dimension = ${dimension} and value_name.value = given.value and given.name is null returning 1
    ), written as (
      insert into value_name (dimension, value, name)
      select ${dimension}, value, name from given where name is not null order by value
      on conflict (dimension, value) do update set name = excluded.name
      where value_name.name is distinct from excluded.name returning 1
    )
    select from removed union all select from written`.execute(trx)
  return rows.length
}
