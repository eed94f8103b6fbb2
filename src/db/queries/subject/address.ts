import { type RawBuilder, sql } from 'kysely'
import { channelFacts } from '../../../channels/facts/by-channel.ts'
import { type Channel, channels } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'

/** Whether two addresses of a channel are the same, as the unique indexes of `address` compare them. */
export function isSameAddress(
  channel: Channel,
  one: RawBuilder<unknown>,
  other: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return channelFacts[channel].ignoresCase
    ? sql`lower(${one} collate "C") = lower(${other} collate "C")`
    : sql`${one} = ${other}`
}

/** The subject to whom an address is bound on a channel. */
export async function findSubjectByAddress(
  db: Db | Trx,
  channel: Channel,
  address: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('address')
    .select('subject_id')
    .where('channel', '=', sql.lit(channel))
    .where(isSameAddress(channel, sql.ref('address'), sql`${address}::text`))
    .executeTakeFirst()
  return row?.subject_id
}

/** Who bound an address by itself, and when; undefined if an import did, or nobody has. */
export async function findBinder(
  db: Db,
  channel: Channel,
  address: string,
): Promise<{ by: string; at: string } | undefined> {
  const row = await db
    .selectFrom('address')
    .innerJoin('audit', (on) =>
      on
        .on('audit.object_kind', '=', 'subject')
        .on('audit.object_id', '=', sql<string>`address.subject_id::text`)
        .on('audit.action', '=', 'bind')
        .on(sql<boolean>`audit.details ->> 'channel' = ${channel}`),
    )
    .select(['audit.actor', 'audit.at'])
    .where('address.channel', '=', sql.lit(channel))
    .where(isSameAddress(channel, sql.ref('address.address'), sql`${address}::text`))
    .orderBy('audit.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { by: row.actor, at: row.at.toISOString() }
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

/** Which of these addresses are bound to a subject with another uid, in whichever spelling. */
export async function findBoundAddresses(trx: Trx, claimed: BoundAddress[]): Promise<BoundAddress[]> {
  const bound = channels.map(
    (channel) => sql`
      select input.uid, input.channel, input.address
      from input
        join address as bound on bound.channel = ${sql.lit(channel)}
          and ${isSameAddress(channel, sql.ref('bound.address'), sql.ref('input.address'))}
        join subject on subject.id = bound.subject_id
      where input.channel = ${sql.lit(channel)} and subject.uid <> input.uid`,
  )
  const { rows } = await sql<BoundAddress>`
    with input as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(claimed)}) as input (uid text, channel text, address text)
    )
    ${sql.join(bound, sql` union all `)}
  `.execute(trx)
  return rows
}
