import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { CompiledContent } from '../../../channels/channel.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { MessageRequest } from '../../../contract/messages/create.ts'
import type { Db, Trx } from '../../connect.ts'
import type { Database, MessageRow } from '../../tables.ts'
import { authorsSinceApproved } from '../approval/authors.ts'
import type { Category } from '../catalogue/category.ts'
import { sendingUnit } from '../identity/unit.ts'
import { categoryReference, type References, templateInForce } from './references.ts'
import type { ExtraCte } from './write-move.ts'

/** The current request of a message. */
export async function findRequest(db: Db, messageId: string): Promise<MessageRequest> {
  const { request } = await db
    .selectFrom('message_content')
    .select('request')
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return request
}

/** What a copy of a message is made of, at one moment: its request, and whose words stand in it unapproved. */
export async function findOriginal(
  db: Db,
  messageId: string,
): Promise<{ request: MessageRequest; authors: string[] }> {
  return db
    .selectFrom('message_content')
    .select(['request', authorsSinceApproved('message', messageId).as('authors')])
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
}

/** The current sources of a draft's text, and its category, enabled or not. */
export type DraftSources = { request: MessageRequest } & Pick<References, 'template' | 'unit'> & {
    category: Category
  }

/** The request of a draft with its current references, in one round trip. */
export async function findDraftSources(
  db: Db,
  {
    id,
    unit_id: unitId,
    template_id: templateId,
    category_id: categoryId,
  }: Pick<MessageRow, 'id' | 'unit_id' | 'template_id' | 'category_id'>,
): Promise<DraftSources> {
  const { rows } = await sql<DraftSources>`
    select request, ${templateInForce({ unitId, templateId })} as template, ${sendingUnit} as unit,
      ${categoryReference({ categoryId })} as category
    from message_content join unit on unit.id = ${unitId}
    where message_id = ${id}`.execute(db)
  return rows[0]!
}

/** Replaces the request of a draft beside its edit, only while nothing is frozen. The actor becomes an author. */
export function rewriteRequest(messageId: string, request: MessageRequest, actor: string): ExtraCte {
  return (query) =>
    query
      .with('author', (at) => authorInto(at, messageId, actor))
      .with('rewritten', (at) =>
        at
          .updateTable('message_content')
          .set({ request: JSON.stringify(request) })
          .where('message_id', '=', messageId),
      )
}

/** The actor of automatic approvals. */
export const automaticApprover = 'system:auto'

/** `compiledReminder`: what the reminder sends; null: what the message sends. */
type Compiled = { compiled: CompiledContent; compiledReminder: CompiledContent | null }

/**
 * Freezes the content to send beside the move that submits it; neither template nor producer can change it afterwards.
 * `tracked`: whether its links are. The actor becomes an author.
 */
export function freezeContent(
  messageId: string,
  content: Compiled & { frozen: CanonicalMessage[]; tracked: boolean },
  actor: string,
): ExtraCte {
  return (query) =>
    query
      .with('author', (at) => authorInto(at, messageId, actor))
      .with('uninvited', (at) => at.deleteFrom('pattern_invitation').where('message_id', '=', messageId))
      .with('frozen', (at) =>
        at
          .updateTable('message_content')
          .set({
            frozen: JSON.stringify(content.frozen),
            compiled: JSON.stringify(content.compiled),
            compiled_reminder: content.compiledReminder && JSON.stringify(content.compiledReminder),
            tracked: content.tracked,
          })
          .where('message_id', '=', messageId),
      )
}

/** Takes back what submitting froze, beside the move that makes a draft of it again. */
export function thawContent(messageId: string): ExtraCte {
  return (query) =>
    query
      .with('uninvited', (at) => at.deleteFrom('pattern_invitation').where('message_id', '=', messageId))
      .with('thawed', (at) =>
        at
          .updateTable('message_content')
          .set({ frozen: null, compiled: null, compiled_reminder: null, tracked: false })
          .where('message_id', '=', messageId),
      )
}

/** The frozen content; undefined before submit. */
export async function findFrozen(
  db: Db,
  messageId: string,
): Promise<(Compiled & { messages: CanonicalMessage[] }) | undefined> {
  const { frozen, compiled, compiledReminder } = await db
    .selectFrom('message_content')
    .select(['frozen', 'compiled', 'compiled_reminder as compiledReminder'])
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return frozen ? { messages: frozen, compiled: compiled ?? {}, compiledReminder } : undefined
}

/** Whose words stand in something. `copied`: they came in with what it was made from, and are no act of theirs. */
export type Writer = { actor: string; copied: boolean }

/** Adds authors of the message, who may not approve it. */
export async function insertAuthors(trx: Trx, messageId: string, writers: readonly Writer[]): Promise<void> {
  if (writers.length === 0) return
  await sql`
    insert into message_author (message_id, actor, copied)
    select ${messageId}::uuid, * from ${rowsOfWriters(writers)}
    on conflict (message_id, actor) do update set copied = message_author.copied and excluded.copied`.execute(
    trx,
  )
}

/** Writers as rows of an SQL statement: `actor` and `copied`. */
export function rowsOfWriters(writers: readonly Writer[]): RawBuilder<unknown> {
  return sql`unnest(${writers.map(({ actor }) => actor)}::text[], ${writers.map(({ copied }) => copied)}::boolean[])
    as written (actor, copied)`
}

/** An author of the message, as part of another statement. */
function authorInto(query: QueryCreator<Database>, messageId: string, actor: string) {
  return query
    .insertInto('message_author')
    .values({ message_id: messageId, actor })
    .onConflict((conflict) => conflict.columns(['message_id', 'actor']).doUpdateSet({ copied: false }))
}

/** Whether this actor created, edited or submitted the message. */
export async function isAuthor(db: Db, messageId: string, actor: string): Promise<boolean> {
  const row = await db
    .selectFrom('message_author')
    .select('actor')
    .where('message_id', '=', messageId)
    .where('actor', '=', actor)
    .where('copied', '=', false)
    .executeTakeFirst()
  return row !== undefined
}
