import { type Selectable, sql } from 'kysely'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, pageOfUnit, type RowPage } from '../../rows.ts'
import type { EventBindingTable, EventBindingVersionTable } from '../../tables.ts'
import { authorsSinceApproved } from '../approval/authors.ts'
import { actorName } from '../identity/person.ts'

type VersionRow = Selectable<EventBindingVersionTable>

/** A version with the names of its people. */
export type BindingVersion = VersionRow & { createdByName: string | null; decidedByName: string | null }

/**
 * A binding. `inForce`: the version that events use; null: none yet. `newest` is the same, or waits for approval
 * (`submitted`), or was rejected.
 */
export type EventBinding = Selectable<EventBindingTable> & {
  inForce: BindingVersion | null
  newest: BindingVersion
  /** Who may not approve the newest version. */
  authors: string[]
}

type Row = Selectable<EventBindingTable> & Pick<EventBinding, 'authors'>

/** What a version of a binding says. */
export type EventBindingFields = Pick<VersionRow, (typeof fieldNames)[number]>
/** What it makes of an event of its source and type. */
const makingNames = ['category_id', 'template_id', 'scenario_id', 'run_per', 'audience', 'key_ids'] as const
const fieldNames = [
  ...(['source', 'type'] as const),
  ...makingNames,
  'enabled',
] as const satisfies (keyof VersionRow)[]

/** What an event needs of its binding. */
export type BindingInForce = Pick<
  VersionRow,
  'category_id' | 'template_id' | 'scenario_id' | 'run_per' | 'audience'
> & { unit_id: string }

/**
 * The enabled binding of the row `event`, if its signing key may trigger it: one that was issued is of one unit. At most
 * one row.
 */
export const bindingInForce = sql`
  select json_build_object('unit_id', b.unit_id, 'category_id', v.category_id, 'template_id', v.template_id,
    'scenario_id', v.scenario_id, 'run_per', v.run_per, 'audience', v.audience)
  from event_binding_version as v join event_binding as b on b.id = v.binding_id
  where v.source = event.source and v.type = event.type and v.state = 'in_force' and v.enabled
    and (v.key_ids is null or event.key_id = any(v.key_ids))
    and not exists (select from event_key as k where k.id = event.key_id and k.unit_id <> b.unit_id)`

/** The enabled binding in force of a pair, in any unit: there is at most one. */
function selectEnabled(db: Db | Trx, { source, type }: Pick<EventBindingFields, 'source' | 'type'>) {
  return db
    .selectFrom('event_binding_version as v')
    .innerJoin('event_binding as b', 'b.id', 'v.binding_id')
    .selectAll('v')
    .select('b.unit_id')
    .where('v.source', '=', source)
    .where('v.type', '=', type)
    .where('v.state', '=', sql.lit('in_force'))
    .where('v.enabled', '=', true)
}

export async function findBinding(db: Db, id: string, unitIds: string[]): Promise<EventBinding | undefined> {
  const row = await inUnits(selectBinding(db), 'event_binding', id, unitIds).executeTakeFirst()
  return row && (await withVersions(db, [row]))[0]
}

/** Those of these bindings that belong to these units. */
export async function findBindings(
  db: Db,
  ids: readonly string[],
  unitIds: readonly string[],
): Promise<EventBinding[]> {
  const rows = await selectBinding(db)
    .where('id', '=', anyOf(ids))
    .where('unit_id', '=', anyOf(unitIds))
    .execute()
  return withVersions(db, rows)
}

/** A binding of one of these units, locked. */
export async function lockBinding(
  trx: Trx,
  id: string,
  unitIds: string[],
): Promise<EventBinding | undefined> {
  const locked = await inUnits(selectBinding(trx), 'event_binding', id, unitIds)
    .forUpdate()
    .executeTakeFirst()
  return locked && (await withVersions(trx, [locked]))[0]
}

/** A unit's bindings, newest first. */
export async function listBindings(db: Db, unitId: string, page: RowPage): Promise<EventBinding[]> {
  const rows = await pageOfUnit(selectBinding(db), 'event_binding', unitId, page).execute()
  return withVersions(db, rows)
}

/** What one version of a binding says; undefined if it does not exist. */
export async function findBindingVersion(
  db: Db,
  id: string,
  version: number,
): Promise<(EventBindingFields & { version: number }) | undefined> {
  return db
    .selectFrom('event_binding_version')
    .select(['version', ...fieldNames])
    .where('binding_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
}

function selectBinding(db: Db) {
  return db
    .selectFrom('event_binding')
    .selectAll()
    .select(({ ref }) => authorsSinceApproved('event_binding', ref('event_binding.id')).as('authors'))
}

/** A version, of `v`, that was in force and made something. */
const hasMade = sql<boolean>`v.took_effect_at is not null and v.enabled and num_nonnulls(v.template_id, v.scenario_id) > 0`

/**
 * What made something last, of a binding or of the same source and type in its unit, deleted bindings included; undefined
 * if nothing has. While a binding is disabled, it is what would make messages or runs again.
 */
export async function findLastMaking(
  trx: Trx,
  { id, unitId, source, type }: { id: string; unitId: string; source: string; type: string },
): Promise<EventBindingFields | undefined> {
  const fields = sql.join(fieldNames.map((name) => sql.ref(`v.${name}`)))
  const former = sql.join(fieldNames.map((name) => (name === 'enabled' ? sql`true` : sql.ref(`v.${name}`))))
  const { rows } = await sql<EventBindingFields>`
    select * from (
      (select ${fields}, took_effect_at from event_binding_version as v
        where v.binding_id = ${id} and ${hasMade} order by version desc limit 1)
      union all
      (select ${fields}, took_effect_at from event_binding_version as v join event_binding as b on b.id = v.binding_id
        where b.unit_id = ${unitId} and v.source = ${source} and v.type = ${type} and ${hasMade}
        order by took_effect_at desc limit 1)
      union all
      select ${former}, took_effect_at from event_binding_former as v
      where v.unit_id = ${unitId} and v.source = ${source} and v.type = ${type}
    ) as making (${sql.join(fieldNames.map((name) => sql.id(name)))}, took_effect_at)
    order by took_effect_at desc limit 1`.execute(trx)
  return rows[0]
}

async function withVersions(db: Db, rows: Row[]): Promise<EventBinding[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const versions = await db
    .selectFrom('event_binding_version as v')
    .selectAll('v')
    .select(({ ref }) => [
      actorName(ref('v.created_by')).as('createdByName'),
      actorName(ref('v.decided_by')).as('decidedByName'),
    ])
    .where('v.binding_id', 'in', ids)
    .where(
      sql<boolean>`(v.state = 'in_force' or v.version = (
        select max(newest.version) from event_binding_version as newest where newest.binding_id = v.binding_id))`,
    )
    .orderBy('v.version')
    .execute()
  const byBinding = Map.groupBy(versions, ({ binding_id }) => binding_id)
  return rows.flatMap((row) => {
    const [first, second] = byBinding.get(row.id) ?? []
    if (!first) return [] // deleted since its row was read
    return [{ ...row, inForce: first.state === 'in_force' ? first : null, newest: second ?? first }]
  })
}

/** Creates a binding without versions. Returns its id. */
export async function insertBinding(trx: Trx, unitId: string): Promise<string> {
  const { id } = await trx
    .insertInto('event_binding')
    .values({ unit_id: unitId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type NewBindingVersion = {
  fields: EventBindingFields
  state: 'in_force' | 'submitted'
  createdBy: string
}

/**
 * Adds the newest version of a new or locked binding. It replaces a version that waits for approval and, if it is in
 * force at once, the one in force. Returns its number.
 *
 * Violates `event_binding_in_force` if another binding of (source, type) is enabled; so does `decideBindingVersion`.
 */
export async function insertBindingVersion(
  trx: Trx,
  id: string,
  { fields: { audience, ...fields }, state, createdBy }: NewBindingVersion,
): Promise<number> {
  await replaceVersions(trx, id, state === 'in_force' ? ['submitted', 'in_force'] : ['submitted'])
  const { version } = await trx
    .insertInto('event_binding_version')
    .values({
      binding_id: id,
      version: sql<number>`(
        select coalesce(max(version), 0) + 1 from event_binding_version where binding_id = ${id})`,
      state,
      ...fields,
      audience: JSON.stringify(audience),
      created_by: createdBy,
      authors: [createdBy],
      took_effect_at: state === 'in_force' ? sql<Date>`clock_timestamp()` : null,
    })
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

/** Writes an approver's decision about the version of a locked binding that waits for one. */
export async function decideBindingVersion(
  trx: Trx,
  { id, version }: { id: string; version: number },
  { state, by, reason }: { state: 'in_force' | 'rejected'; by: string; reason: string | null },
): Promise<void> {
  if (state === 'in_force') await replaceVersions(trx, id, ['in_force'])
  await trx
    .updateTable('event_binding_version')
    .set({
      state,
      decided_by: by,
      decided_at: sql<Date>`clock_timestamp()`,
      reason,
      ...(state === 'in_force' && { took_effect_at: sql<Date>`clock_timestamp()` }),
    })
    .where('binding_id', '=', id)
    .where('version', '=', version)
    .execute()
}

async function replaceVersions(trx: Trx, id: string, states: ('submitted' | 'in_force')[]): Promise<void> {
  await trx
    .updateTable('event_binding_version')
    .set({ state: 'replaced' })
    .where('binding_id', '=', id)
    .where('state', 'in', states)
    .execute()
}

/** The enabled binding of (source, type) in any unit, besides the binding `except`. */
export async function findPairHolder(
  db: Db | Trx,
  pair: Pick<EventBindingFields, 'source' | 'type'>,
  except?: string,
): Promise<(VersionRow & { unit_id: string }) | undefined> {
  return selectEnabled(db, pair)
    .$if(except !== undefined, (query) => query.where('v.binding_id', '!=', except!))
    .executeTakeFirst()
}

/** Deletes a locked binding; its events stay, and what it made last of each source and type. */
export async function deleteBinding(trx: Trx, id: string): Promise<void> {
  const columnNames = [...makingNames, 'took_effect_at']
  const columns = sql.join(columnNames.map((name) => sql.ref(name)))
  const values = sql.join(columnNames.map((name) => sql.ref(`excluded.${name}`)))
  await sql`
    insert into event_binding_former as known (unit_id, source, type, ${columns})
    select distinct on (source, type) unit_id, source, type, ${columns}
    from event_binding_version as v join event_binding as b on b.id = v.binding_id
    where v.binding_id = ${id} and ${hasMade}
    order by source, type, took_effect_at desc
    on conflict (unit_id, source, type) do update set (${columns}) = (${values})
    where known.took_effect_at < excluded.took_effect_at`.execute(trx)
  await trx.deleteFrom('event_binding').where('id', '=', id).execute()
}
