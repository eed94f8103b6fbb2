import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'

/** The subject whom an address of a channel belongs to. */
export async function findSubjectByAddress(
  db: Db | Trx,
  channel: Channel,
  address: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('address')
    .select('subject_id')
    .where('channel', '=', channel)
    .where('address', '=', address)
    .executeTakeFirst()
  return row?.subject_id
}

/** Where a subject is reached on a channel. */
export async function findAddress(
  db: Db | Trx,
  subjectId: string,
  channel: Channel,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('address')
    .select('address')
    .where('subject_id', '=', subjectId)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return row?.address
}

/**
 * The person has blocked the account (from now on, as far as we know), or takes its messages again. True: that is
 * new.
 */
export async function setBlocked(
  trx: Trx,
  { subjectId, channel, blocked }: { subjectId: string; channel: Channel; blocked: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('address')
    .set({ blocked_at: blocked ? sql<Date>`clock_timestamp()` : null })
    .where('subject_id', '=', subjectId)
    .where('channel', '=', channel)
    .where('blocked_at', blocked ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Nothing is sent to these addresses any more: they bounced, or their owners complained. Answers whose they were. */
export async function suppressAddresses(
  db: Db | Trx,
  channel: Channel,
  addresses: string[],
): Promise<string[]> {
  const { rows } = await sql<{ subjectId: string }>`
    update address set suppressed_at = clock_timestamp()
    where channel = ${channel} and address = any(${addresses}::text[]) and suppressed_at is null
    returning subject_id as "subjectId"
  `.execute(db)
  return rows.map(({ subjectId }) => subjectId)
}

/** How somebody first came to us; what is known already stays. */
export async function setFirstContact(trx: Trx, subjectId: string, source: string): Promise<void> {
  await trx
    .updateTable('subject')
    .set({ acquisition_source: source, acquisition_ref: null, updated_at: sql<Date>`now()` })
    .where('id', '=', subjectId)
    .where('acquisition_source', 'is', null)
    .execute()
}

export type BoundAddress = { uid: string; channel: Channel; address: string }

/** Those of these addresses that belong to somebody with another uid. */
export async function findBoundAddresses(trx: Trx, claimed: BoundAddress[]): Promise<BoundAddress[]> {
  const { rows } = await sql<BoundAddress>`
    select given.uid, given.channel, given.address
    from jsonb_to_recordset(${JSON.stringify(claimed)}) as given (uid text, channel text, address text)
    join address using (channel, address)
    join subject on subject.id = address.subject_id
    where subject.uid <> given.uid
  `.execute(trx)
  return rows
}
