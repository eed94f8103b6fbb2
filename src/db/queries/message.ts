import { sql } from 'kysely'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Audience } from '../../domain/audience.ts'
import type { ChannelPlan } from '../../domain/channel-plan.ts'
import type { Db, Trx } from '../connect.ts'
import type { MessageKind, Origin } from '../tables.ts'
import type { MessageRequest } from './message-content.ts'

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
