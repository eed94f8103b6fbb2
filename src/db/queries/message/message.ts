import { sql } from 'kysely'
import type { MessageKind, Origin } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { Audience } from '../../../domain/audience.ts'
import type { ChannelPlan } from '../../../domain/channel-plan.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import type { MessageRow, WaveRow } from '../../tables.ts'
import { insertMessageChange } from '../callback/delivery.ts'
import type { MessageRequest } from './content.ts'

export type NewMessage = {
  unitId: string
  idempotencyKey: string | null
  bodyHash: Buffer | null
  kind: MessageKind
  origin: Origin
  categoryId: string
  topicId: string | null
  templateId: string | null
  title: LocalisedText
  audience: Audience
  channelPlan: ChannelPlan
  planOverride: Partial<ChannelPlan> | null
  scheduleAt: string | null
  expiresAt: string | null
  remindAt: string | null
  createdBy: string
  request: MessageRequest
}

/**
 * Writes a draft with its content, author and audit row in one statement, acknowledged: a draft has no run until it
 * expires. Answers its id, or undefined where the unit has used the key already (then nothing is written).
 */
export async function insertMessage(db: Db, message: NewMessage): Promise<string | undefined> {
  const { unitId, idempotencyKey, bodyHash, kind, origin, createdBy, request } = message
  const columns = { ...contentColumns(message), acked_version: 1 }
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into message (unit_id, idempotency_key, body_hash, kind, origin, created_by,
        ${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})
      values (${unitId}, ${idempotencyKey}, ${bodyHash}, ${kind}, ${origin}, ${createdBy},
        ${sql.join(Object.values(columns))})
      on conflict (unit_id, idempotency_key) do nothing
      returning id
    ), content as (
      insert into message_content (message_id, request) select id, ${JSON.stringify(request)}::jsonb from made
    ), author as (
      insert into message_author (message_id, actor) select id, ${createdBy} from made
    ), trail as (
      insert into audit (unit_id, actor, action, object_kind, object_id, to_state, version)
      select ${unitId}::uuid, ${createdBy}, 'create', 'message', id::text, 'draft', 1 from made
    )
    select id from made`.execute(db)
  return rows[0]?.id
}

/** The columns that the body of a message decides; an edit writes the same ones again. */
export function contentColumns(
  message: Omit<
    NewMessage,
    'unitId' | 'idempotencyKey' | 'bodyHash' | 'kind' | 'origin' | 'createdBy' | 'request'
  >,
) {
  return {
    category_id: message.categoryId,
    topic_id: message.topicId,
    template_id: message.templateId,
    title: JSON.stringify(message.title),
    audience: JSON.stringify(message.audience),
    channel_plan: JSON.stringify(message.channelPlan),
    plan_override: message.planOverride && JSON.stringify(message.planOverride),
    schedule_at: message.scheduleAt,
    expires_at: message.expiresAt,
    remind_at: message.remindAt,
    next_look_at: message.expiresAt,
  }
}

/** Why the automatic check left a message to people. Not a change that a run or an approver must see: version stays. */
export async function setReviewReason(trx: Trx, messageId: string, reason: string): Promise<void> {
  await trx.updateTable('message').set({ review_reason: reason }).where('id', '=', messageId).execute()
}

/** A message as it stands, without a lock, and the moment (ms since the epoch) at which Postgres read it. */
export async function findMessage(
  db: Db,
  id: string,
  unitIds: string[],
): Promise<{ message: MessageRow; now: number } | undefined> {
  const row = await db
    .selectFrom('message')
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('id', '=', id)
    .where('unit_id', '=', anyOf(unitIds))
    .executeTakeFirst()
  if (!row) return undefined
  const { now, ...message } = row
  return { message, now: now.getTime() }
}

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
export async function lockMessageRows(
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
  return { message, wave, reminder, now: await databaseNow(trx) }
}

/** A message that the caller's transaction has made: nobody else can see it yet, let alone lock it, and it has no wave. */
export async function readNewMessage(trx: Trx, id: string): Promise<LockedMessage> {
  const { now, ...message } = await trx
    .selectFrom('message')
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { message, wave: null, reminder: null, now: now.getTime() }
}

/** Postgres' clock, ms since the epoch: the only one that decides. */
export async function databaseNow(trx: Trx): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx)
  return rows[0]!.now.getTime()
}

/**
 * Nothing can happen to a message any more: its run ends, nobody looks at it again, and callbacks are told its counts.
 * Under its lock.
 */
export async function markMessageClosed(trx: Trx, messageId: string): Promise<void> {
  const { unit_id, state, version } = await trx
    .updateTable('message')
    .set({ closed_at: sql<Date>`clock_timestamp()`, next_look_at: null, problem: null })
    .where('id', '=', messageId)
    .returning(['unit_id', 'state', 'version'])
    .executeTakeFirstOrThrow()
  await insertMessageChange(trx, {
    types: ['message.closed'],
    unitId: unit_id,
    messageId,
    state,
    from: null,
    version,
  })
}
