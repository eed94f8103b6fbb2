import { sql } from 'kysely'
import type { Channel, SuppressionReason } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { isSameAddress } from './address.ts'

/** The key of address hashes. `sealed`: encrypted under SECRETS_KEY. */
export async function findHashKey(db: Db): Promise<{ key: Buffer; sealed: boolean }> {
  return db.selectFrom('address_hash_key').select(['key', 'sealed']).executeTakeFirstOrThrow()
}

/** Replaces the open key by itself, sealed. Returns false if it was sealed already. */
export async function storeSealedKey(
  db: Db,
  { open, sealed }: { open: Buffer; sealed: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('address_hash_key')
    .set({ key: sealed, sealed: true })
    .where('sealed', '=', false)
    .where('key', '=', open)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Replaces the sealed key by itself, sealed again. Changes nothing if it is not `before` any more. */
export async function replaceHashKey(
  db: Db,
  { before, after }: { before: Buffer; after: Buffer },
): Promise<void> {
  await db
    .updateTable('address_hash_key')
    .set({ key: after })
    .where('sealed', '=', true)
    .where('key', '=', before)
    .execute()
}

/** An address with its hash (`addressHasher` in services). */
type HashedAddress = { address: string; hash: Buffer }

/** `server`: the host of the mail server that said so; null for a complaint. */
type NewSuppressions = {
  channel: Channel
  why: SuppressionReason
  server: string | null
  addresses: HashedAddress[]
}

/**
 * Suppresses addresses, whether or not they are bound. Those bound before hashes were stored get theirs. Returns the
 * subjects whose addresses are newly suppressed.
 */
export async function insertSuppressions(
  db: Db,
  { channel, why, server, addresses }: NewSuppressions,
): Promise<string[]> {
  const isGiven = isSameAddress(channel, sql.ref('bound.address'), sql.ref('input.address'))
  const { rows } = await sql<{ subjectId: string }>`
    with input as materialized (
      select * from unnest(${addresses.map(({ address }) => address)}::text[],
        ${addresses.map(({ hash }) => hash)}::bytea[]) as input (address, hash)
    ),
    added as (
      insert into suppression (channel, hash, why, server)
      select distinct ${channel}, hash, ${why}, ${server} from input order by hash
      on conflict do nothing
      returning hash
    ),
    marked as (
      update address as bound set hash = input.hash from input
      where bound.channel = ${sql.lit(channel)} and ${isGiven} and bound.hash is null
    )
    select bound.subject_id as "subjectId"
    from added join input on input.hash = added.hash
      join address as bound on bound.channel = ${sql.lit(channel)} and (bound.hash = added.hash or ${isGiven})
  `.execute(db)
  return [...new Set(rows.map(({ subjectId }) => subjectId))]
}

/** A suppression. `why`: what led to it. */
export type Suppression = { since: Date; why: SuppressionReason }

/** The suppression of an address, if there is one. */
export async function findSuppression(
  db: Db,
  channel: Channel,
  hash: Buffer,
): Promise<Suppression | undefined> {
  return db
    .selectFrom('suppression')
    .select(['since', 'why'])
    .where('channel', '=', channel)
    .where('hash', '=', hash)
    .executeTakeFirst()
}

/** Lifts a suppression. Returns what it was, if there was one. */
export async function deleteSuppression(
  trx: Trx,
  channel: Channel,
  hash: Buffer,
): Promise<Suppression | undefined> {
  return trx
    .deleteFrom('suppression')
    .where('channel', '=', channel)
    .where('hash', '=', hash)
    .returning(['since', 'why'])
    .executeTakeFirst()
}

/** Suppressions since an instant, or of one reason. */
export type SuppressionFilter = { since: Date; whys: readonly SuppressionReason[]; server?: string }

/** A lifted or listed suppression, and the subject who has the address; null: nobody has. */
export type ListedSuppression = Suppression & {
  channel: Channel
  hash: Buffer
  server: string | null
  subjectId: string | null
  uid: string | null
}

/** The suppressions that a filter names, the newest first. */
export async function listSuppressions(
  db: Db,
  filter: SuppressionFilter,
  limit: number,
): Promise<ListedSuppression[]> {
  const { rows } = await sql<ListedSuppression>`
    select ${listedColumns} from suppression ${holder} where ${isNamed(filter)}
    order by since desc, hash limit ${limit}
  `.execute(db)
  return rows
}

/** Lifts the suppressions that a filter names. Returns what they were. */
export async function deleteSuppressions(trx: Trx, filter: SuppressionFilter): Promise<ListedSuppression[]> {
  const { rows } = await sql<ListedSuppression>`
    with lifted as (delete from suppression where ${isNamed(filter)} returning *)
    select ${listedColumns} from lifted as suppression ${holder} order by since, hash
  `.execute(trx)
  return rows
}

const listedColumns = sql`suppression.channel, suppression.hash, suppression.since, suppression.why, suppression.server,
      holder.id as "subjectId", holder.uid`

const holder = sql`left join address on address.channel = suppression.channel and address.hash = suppression.hash
      left join subject as holder on holder.id = address.subject_id`

function isNamed({ since, whys, server }: SuppressionFilter) {
  return sql<boolean>`suppression.since >= ${since} and suppression.why = any(${[...whys]}::text[])
    ${server === undefined ? sql`` : sql`and suppression.server = ${server}`}`
}
