import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'

/** The subject to whom an address is bound on a channel. */
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

/** A subject's address on a channel. */
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

/** Marks an address as blocked or unblocked by the person, as of now. Returns whether that changed. */
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

/** Suppresses addresses that bounced or whose owners complained. Returns the subjects newly affected. */
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

/** Sets a subject's acquisition source, unless it has one. */
export async function setFirstContact(trx: Trx, subjectId: string, source: string): Promise<void> {
  await trx
    .updateTable('subject')
    .set({ acquisition_source: source, acquisition_ref: null, updated_at: sql<Date>`now()` })
    .where('id', '=', subjectId)
    .where('acquisition_source', 'is', null)
    .execute()
}

export type BoundAddress = { uid: string; channel: Channel; address: string }

/** Which of these addresses are bound to a subject with another uid. */
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
