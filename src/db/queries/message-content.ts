import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Db, Trx } from '../connect.ts'

/** What the producer asked to be said: `messages`, or a template with variables. */
export type MessageRequest = {
  messages?: CanonicalMessage[]
  templateId?: string
  variables?: Record<string, unknown>
}

/** What the producer asked to be said, as it stands. */
export async function findRequest(db: Db, messageId: string): Promise<MessageRequest> {
  const { request } = await db
    .selectFrom('message_content')
    .select('request')
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return request
}

/** Puts what an edit asks for in its place; only while nothing is frozen. */
export async function updateRequest(trx: Trx, messageId: string, request: MessageRequest): Promise<void> {
  await trx
    .updateTable('message_content')
    .set({ request: JSON.stringify(request) })
    .where('message_id', '=', messageId)
    .execute()
}

export type FrozenContent = { frozen: CanonicalMessage[]; compiled: Partial<Record<Channel, unknown>> }

/** Freezes what will be sent: from here on neither template nor producer can change it. */
export async function freezeContent(trx: Trx, messageId: string, content: FrozenContent): Promise<void> {
  await trx
    .updateTable('message_content')
    .set({ frozen: JSON.stringify(content.frozen), compiled: JSON.stringify(content.compiled) })
    .where('message_id', '=', messageId)
    .execute()
}

/** What submit has compiled, by channel; nothing before it. */
export async function findCompiled(db: Db, messageId: string): Promise<Partial<Record<Channel, unknown>>> {
  const { compiled } = await db
    .selectFrom('message_content')
    .select('compiled')
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return compiled ?? {}
}

/** What submit has frozen; undefined before it. */
export async function findFrozen(
  db: Db,
  messageId: string,
): Promise<{ messages: CanonicalMessage[]; compiled: Partial<Record<Channel, unknown>> } | undefined> {
  const { frozen, compiled } = await db
    .selectFrom('message_content')
    .select(['frozen', 'compiled'])
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return frozen ? { messages: frozen, compiled: compiled ?? {} } : undefined
}
