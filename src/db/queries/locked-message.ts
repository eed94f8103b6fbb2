import { type Selectable, sql } from 'kysely'
import { anyOf } from '../any-of.ts'
import type { Trx } from '../connect.ts'
import type { MessageTable, WaveTable } from '../tables.ts'

export type MessageRow = Selectable<MessageTable>
export type WaveRow = Selectable<WaveTable>

/**
 * A message, its first wave and its reminder, all locked, and the moment (ms since the epoch, Postgres' clock) at which
 * they were.
 */
export type LockedMessage = {
  message: MessageRow
  wave: WaveRow | null
  reminder: WaveRow | null
  now: number
}

/**
 * Locks a message, then its waves: the order that everybody keeps. Undefined where there is no such message, or none of
 * one of `unitIds`. Two statements, because a wave that was made while this waited for the message would be missing from
 * the first one's view; the clock is read after all locks are held.
 */
export async function lockedMessage(
  trx: Trx,
  id: string,
  unitIds?: readonly string[],
): Promise<LockedMessage | undefined> {
  const message = await trx
    .selectFrom('message')
    .selectAll()
    .where('id', '=', id)
    .$if(unitIds !== undefined, (query) => query.where('unit_id', '=', anyOf(unitIds!)))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!message) return undefined

  const [wave = null, reminder = null] = await trx
    .selectFrom('wave')
    .selectAll()
    .where('message_id', '=', id)
    .orderBy('number')
    .forNoKeyUpdate()
    .execute()
  return { message, wave, reminder, now: await clock(trx) }
}

/** A message that the caller's transaction has made: nobody else can see it yet, let alone lock it, and it has no wave. */
export async function newMessage(trx: Trx, id: string): Promise<LockedMessage> {
  const { now, ...message } = await trx
    .selectFrom('message')
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { message, wave: null, reminder: null, now: now.getTime() }
}

/** Postgres' clock, ms since the epoch: the only one that decides. */
export async function clock(trx: Trx): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx)
  return rows[0]!.now.getTime()
}
