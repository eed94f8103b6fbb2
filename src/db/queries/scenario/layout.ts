import { sql } from 'kysely'
import type { GraphLayout } from '../../../domain/scenario/layout.ts'
import type { Db } from '../../connect.ts'

/** A picture of a version, by the digest of the sizes of what is in it. */
type LayoutKey = { scenarioId: string; version: number; sizesHash: Buffer }

/** How many pictures of a version are kept: two languages, and names of groups and scenarios that have changed. */
const mostKept = 4

/** The layout of a picture; undefined if it is not known. */
export async function findLayout(
  db: Db,
  { scenarioId, version, sizesHash }: LayoutKey,
): Promise<GraphLayout | undefined> {
  const row = await db
    .selectFrom('scenario_layout')
    .select('layout')
    .where('scenario_id', '=', scenarioId)
    .where('version', '=', version)
    .where('sizes_hash', '=', sizesHash)
    .executeTakeFirst()
  return row?.layout
}

/** Keeps the layout of a picture, in place of the oldest of that version if it has many. */
export async function insertLayout(
  db: Db,
  { scenarioId, version, sizesHash }: LayoutKey,
  layout: GraphLayout,
): Promise<void> {
  await sql`
    with oldest as (
      delete from scenario_layout where scenario_id = ${scenarioId} and version = ${version} and sizes_hash in (
        select sizes_hash from scenario_layout where scenario_id = ${scenarioId} and version = ${version}
        order by created_at desc offset ${mostKept - 1})
    )
    insert into scenario_layout (scenario_id, version, sizes_hash, layout)
    values (${scenarioId}, ${version}, ${sizesHash}, ${JSON.stringify(layout)})
    on conflict do nothing`.execute(db)
}
