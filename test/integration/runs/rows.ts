import { sql } from 'kysely'
import type { MessageState, Move } from '../../../src/contract/enums.ts'
import type { Db } from '../../../src/db/connect.ts'
import { applyMove, lockMessage } from '../../../src/services/messages/move.ts'

/** Rows of messages as the services would have left them, and moves as they would make them. */

export type Planned = {
  state?: MessageState
  /** Milliseconds from now, by Postgres' clock. */
  sendIn?: number
  expireIn?: number
  /** With a reminder, which is the second wave. */
  remindIn?: number
  recipients?: number
}

/** The planted messages' text: it must be found nowhere in Temporal. */
export const title = '期末成績'

/** A message with its first wave. */
export async function plantMessage(db: Db, planned: Planned = {}): Promise<string> {
  const unitId = await unit(db)
  const from = (ms?: number) =>
    ms === undefined ? null : sql<Date>`clock_timestamp() + ${ms} * interval '1 ms'`
  const recipients = { total: planned.recipients ?? 3_000, byChannel: { chat: planned.recipients ?? 3_000 } }
  const text = JSON.stringify({ 'zh-TW': title })
  const { id } = await db
    .insertInto('message')
    .values({
      unit_id: unitId,
      state: planned.state ?? 'approved',
      origin: 'api',
      category_id: 'grades',
      title: text,
      audience: '{"kind":"all"}',
      channel_plan: '{"mode":"all","channels":["chat"]}',
      schedule_at: from(planned.sendIn),
      expires_at: from(planned.expireIn),
      remind_at: from(planned.remindIn),
      snapshot: JSON.stringify({ recipients }),
      created_by: 'key:test',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const wave = { message_id: id, month: '2026-11-01' }
  await db
    .insertInto('wave')
    .values({ ...wave, number: 0 })
    .execute()
  if (planned.remindIn !== undefined)
    await db
      .insertInto('wave')
      .values({ ...wave, number: 1 })
      .execute()
  return id
}

async function unit(db: Db): Promise<string> {
  const found = await db.selectFrom('unit').select('id').limit(1).executeTakeFirst()
  if (found) return found.id
  await db
    .insertInto('category')
    .values({
      id: 'grades',
      name: '{"zh-TW":"成績"}',
      layer: 'service',
      channel_plan: '{"mode":"all","channels":["chat"]}',
    })
    .execute()
  const made = await db
    .insertInto('unit')
    .values({ name: '教務處' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Moves a message, and its waves with it, as a service does; without a poke. */
export async function makeMove(db: Db, messageId: string, move: Move): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await applyMove(trx, await lockMessage(trx, messageId), move, { actor: 'person:test' })
  })
}

/** As if the send time, for which the run waits, had come. */
export async function sendTimeComes(db: Db, messageId: string): Promise<void> {
  await sql`update message set schedule_at = now(), next_look_at = now() where id = ${messageId}`.execute(db)
}

export async function messageRow(db: Db, messageId: string) {
  return db.selectFrom('message').selectAll().where('id', '=', messageId).executeTakeFirstOrThrow()
}

/** Who did what to a message, in order. */
export async function auditOf(db: Db, messageId: string) {
  return db
    .selectFrom('audit')
    .select(['actor', 'action'])
    .where('object_id', '=', messageId)
    .orderBy('id')
    .execute()
}
