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
  const row = await db
    .with('m', (cte) =>
      cte
        .insertInto('message')
        .values({
          unit_id: message.unitId,
          idempotency_key: message.idempotencyKey,
          body_hash: message.bodyHash,
          kind: message.kind,
          origin: message.origin,
          ...contentColumns(message),
          created_by: message.createdBy,
          acked_version: 1,
        })
        .onConflict((conflict) => conflict.columns(['unit_id', 'idempotency_key']).doNothing())
        .returning('id'),
    )
    .with('content', (cte) =>
      cte
        .insertInto('message_content')
        .columns(['message_id', 'request'])
        .expression((from) =>
          from
            .selectFrom('m')
            .select(['m.id', sql<string>`${JSON.stringify(message.request)}::jsonb`.as('request')]),
        ),
    )
    .with('author', (cte) =>
      cte
        .insertInto('message_author')
        .columns(['message_id', 'actor'])
        .expression((from) =>
          from.selectFrom('m').select(['m.id', sql<string>`${message.createdBy}::text`.as('actor')]),
        ),
    )
    .with('trail', (cte) =>
      cte
        .insertInto('audit')
        .columns(['unit_id', 'actor', 'action', 'object_kind', 'object_id', 'to_state', 'version'])
        .expression((from) =>
          from
            .selectFrom('m')
            .select([
              sql<string>`${message.unitId}::uuid`.as('unit_id'),
              sql<string>`${message.createdBy}::text`.as('actor'),
              sql<string>`'create'`.as('action'),
              sql<string>`'message'`.as('object_kind'),
              sql<string>`m.id::text`.as('object_id'),
              sql<string>`'draft'`.as('to_state'),
              sql<number>`1`.as('version'),
            ]),
        ),
    )
    .selectFrom('m')
    .select('m.id')
    .executeTakeFirst()
  return row?.id
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
