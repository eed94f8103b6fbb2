import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'

/** A signing key that was issued for one unit, without its secret. */
export type EventKey = {
  id: string
  unitId: string
  name: string
  sources: string[]
  createdAt: Date
  revokedAt: Date | null
}

const columns = [
  'id',
  'unit_id as unitId',
  'name',
  'sources',
  'created_at as createdAt',
  'revoked_at as revokedAt',
] as const

/** What signatures under a key that is not revoked are verified with. */
export async function findEventSecret(
  db: Db,
  id: string,
  source: string,
): Promise<{ unitId: string; secret: Buffer } | undefined> {
  const { rows } = await sql<{ unitId: string; secret: Buffer }>`
    select unit_id as "unitId", secret from event_key
    where id = ${id} and ${source} = any(sources) and revoked_at is null`.execute(db)
  return rows[0]
}

/** Lets one transaction at a time decide whose a source is. Lock order: before the bound of keys and bindings. */
export async function lockSources(trx: Trx, sources: readonly string[]): Promise<void> {
  for (const source of sources.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`event source ${source}`}, 0))`.execute(trx)
}

/**
 * Whose locked sources are, in the order given. `active`: the unit's keys that may sign them. `foreign`: another unit
 * has a key for them, or a binding of them that is in force or waits.
 */
export async function findSourceUse(
  trx: Trx,
  unitId: string,
  sources: readonly string[],
): Promise<{ active: number; foreign: boolean }[]> {
  const { rows } = await sql<{ active: number; foreign: boolean }>`
    select (select count(*)::integer from event_key
        where sources @> array[source] and unit_id = ${unitId} and revoked_at is null) as active,
      exists (select from event_key where sources @> array[source] and unit_id <> ${unitId} and revoked_at is null)
        or exists (select from event_binding_version as v join event_binding as b on b.id = v.binding_id
          where v.source = input.source and v.state in ('in_force', 'submitted') and b.unit_id <> ${unitId}) as foreign
    from unnest(${[...sources]}::text[]) with ordinality as input (source, position) order by position`.execute(
    trx,
  )
  return rows
}

/** Whether another unit has a key that may sign events of a locked source. */
export async function isSignedByOthers(trx: Trx, unitId: string, source: string): Promise<boolean> {
  const { rows } = await sql`
    select from event_key where sources @> array[${source}] and unit_id <> ${unitId} and revoked_at is null limit 1
  `.execute(trx)
  return rows.length > 0
}

/** Stores a key with its sealed secret. */
export async function insertEventKey(
  trx: Trx,
  key: Pick<EventKey, 'id' | 'unitId' | 'name' | 'sources'> & { secret: Buffer; createdBy: string },
): Promise<void> {
  const { id, unitId, name, sources, secret, createdBy } = key
  await trx
    .insertInto('event_key')
    .values({ id, unit_id: unitId, name, sources, secret, created_by: createdBy })
    .execute()
}

/** Revokes a key, effective immediately; undefined if there is no active key with this id. */
export function revokeEventKey(trx: Trx, id: string): Promise<EventKey | undefined> {
  return trx
    .updateTable('event_key')
    .set({ revoked_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()
}

/** The keys of a unit (without `unitId`, of all units), newest first. */
export function listEventKeys(
  db: Db,
  { unitId, after, limit }: { unitId?: string | undefined } & RowPage,
): Promise<EventKey[]> {
  const older = sql<boolean>`(created_at, id) < (select created_at, id from event_key where id = ${after})`
  return db
    .selectFrom('event_key')
    .select(columns)
    .$if(unitId !== undefined, (query) => query.where('unit_id', '=', unitId!))
    .$if(after !== null, (query) => query.where(older))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** What a key has sealed. */
export type SealedEventKey = { id: string; unitId: string; secret: Buffer }

/** The keys that can be used, in all units, oldest first. */
export function listSealedEventKeys(db: Db): Promise<SealedEventKey[]> {
  return selectSealed(db).orderBy('created_at').execute()
}

/** One of them, locked; undefined if it was revoked. */
export function lockSealedEventKey(trx: Trx, id: string): Promise<SealedEventKey | undefined> {
  return selectSealed(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

function selectSealed(db: Db) {
  return db
    .selectFrom('event_key')
    .select(['id', 'unit_id as unitId', 'secret'])
    .where('revoked_at', 'is', null)
}

/** Replaces the secret of a locked key by the same, sealed again. */
export async function storeSealedEventKey(trx: Trx, { id, secret }: SealedEventKey): Promise<void> {
  await trx.updateTable('event_key').set({ secret }).where('id', '=', id).execute()
}
