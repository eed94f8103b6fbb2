import type { Channel } from '../../domain/channel-plan.ts'
import type { Db, Trx } from '../connect.ts'

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
