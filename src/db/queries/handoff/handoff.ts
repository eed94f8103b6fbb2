import { sql } from 'kysely'
import type { HandoffEnd } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { announceHandoff } from '../callback/objects.ts'

/** Opening and closing handoffs, and what people say in them. Runs are locked before handoffs. */

/** A handoff that the assistant opens. */
type AssistantHandoff = {
  unitId: string
  conversationId: string
  channelUser: string
  /** Null: nobody is bound to the chat address yet. */
  subjectId: string | null
  /** The event by which it opens it. */
  webhookEventId: string
}

/** Opens a handoff for the assistant; undefined if its conversation has an open one. */
export async function openForAssistant(trx: Trx, handoff: AssistantHandoff): Promise<string | undefined> {
  const { unitId, conversationId, channelUser, subjectId, webhookEventId } = handoff
  const { rows } = await sql<{ id: string }>`
    insert into handoff (unit_id, conversation_id, channel_user, subject_id, channel_user_hash)
    values (${unitId}, ${conversationId}, ${channelUser}, ${subjectId},
      (select address_hash from webhook_event where id = ${webhookEventId}))
    on conflict (conversation_id) where closed_at is null do nothing
    returning id`.execute(trx)
  const id = rows[0]?.id
  if (id !== undefined) await announceHandoff(trx, id, 'handoff.opened')
  return id
}

/** A handoff that the node of a run opens. */
type RunHandoff = { unitId: string; subjectId: string; runId: string; node: string; test: boolean }

/** Opens the handoff of a node, once. */
export async function openForRun(
  trx: Trx,
  { unitId, subjectId, runId, node, test }: RunHandoff,
): Promise<string> {
  const { id } = await trx
    .insertInto('handoff')
    .values({ unit_id: unitId, subject_id: subjectId, run_id: runId, node, test })
    .returning('id')
    .executeTakeFirstOrThrow()
  await announceHandoff(trx, id, 'handoff.opened')
  return id
}

/**
 * The open handoff of a conversation of the assistant at this chat address, locked. `subjectId`: its person; null: nobody
 * is bound to the address yet.
 */
export async function lockConversation(
  trx: Trx,
  { conversationId, channelUser }: Pick<AssistantHandoff, 'conversationId' | 'channelUser'>,
): Promise<{ id: string; subjectId: string | null } | undefined> {
  const { rows } = await sql<{ id: string; subjectId: string | null }>`
    select id, subject_id as "subjectId" from handoff
    where conversation_id = ${conversationId} and channel_user = ${channelUser} and closed_at is null
    for no key update`.execute(trx)
  return rows[0]
}

/**
 * The open handoff of a person (null: nobody is bound to the address), or of their chat address while nobody was bound to
 * it; locked. If units have opened several, the one that spoke to the person last: was opened, or sent them a reply.
 */
export async function lockOpenHandoff(
  trx: Trx,
  { subjectId, address }: { subjectId: string | null; address: string | null },
): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from handoff
    where closed_at is null and (subject_id = ${subjectId}::uuid or (subject_id is null and channel_user = ${address}))
    order by greatest(opened_at, (select max(turn.closed_at) from turn
      where turn.handoff_id = handoff.id and turn.state in ('sent', 'unknown'))) desc, id desc
    limit 1 for no key update`.execute(trx)
  return rows[0]
}

/**
 * Whether the assistant has asked for a person in this conversation, or taken it back, later than in this event: events may
 * arrive out of order.
 */
export async function isConversationPast(
  trx: Trx,
  { conversationId, channelUser }: Pick<AssistantHandoff, 'conversationId' | 'channelUser'>,
  occurredAt: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_event
    where channel = 'avatar' and address = ${channelUser} and occurred_at > ${occurredAt}
      and type in ('requested', 'closed') and payload ->> 'conversationId' = ${conversationId} and done_at is not null
    limit 1`.execute(trx)
  return rows.length > 0
}

/** What a person said, by the event that brought it. `text` null: it was no text. */
type HandoffText = {
  handoffId: string
  subjectId: string | null
  text: string | null
  eventId: string
}

/** Adds what the person said to an open handoff, and who they are, if that was unknown. Requires its lock. */
export async function insertHandoffText(
  trx: Trx,
  { handoffId, subjectId, text, eventId }: HandoffText,
): Promise<void> {
  await sql`
    with said as (
      insert into handoff_message (handoff_id, text, webhook_event_id) values (${handoffId}, ${text}, ${eventId})
    )
    update handoff set spoken_at = clock_timestamp(), subject_id = coalesce(subject_id, ${subjectId}::uuid)
    where id = ${handoffId}`.execute(trx)
}

/** How a handoff ends. `by`: the actor. */
type HandoffEnding = { by: string; reason: HandoffEnd }

/**
 * Closes a handoff; the run that waits for it goes on. Returns the run, to be woken after the commit, or null if there is
 * none; undefined if the handoff is closed already, or has been spoken in within `silentSeconds`.
 */
export async function closeHandoff(
  trx: Trx,
  id: string,
  { by, reason, silentSeconds }: HandoffEnding & { silentSeconds?: number },
): Promise<string | null | undefined> {
  await sql`
    select from scenario_run where id = (select run_id from handoff where id = ${id}) for no key update`.execute(
    trx,
  )
  const { rows } = await sql<{ runId: string | null }>`
    with closed as (
      update handoff set closed_at = clock_timestamp(), closed_by = ${by}, end_reason = ${reason}
      where id = ${id} and closed_at is null and ${silentSeconds === undefined ? sql`true` : silentFor(silentSeconds)}
      returning run_id
    ),
    going_on as (
      update scenario_run set version = version + 1, changed_at = clock_timestamp()
      from closed where scenario_run.id = closed.run_id and scenario_run.closed_at is null
    )
    select run_id as "runId" from closed`.execute(trx)
  if (rows.length > 0) await announceHandoff(trx, id, 'handoff.closed')
  return rows[0]?.runId
}

/** A handoff that nobody has spoken in for long. */
export type SilentHandoff = { id: string; unitId: string }

/** Open handoffs in which nothing was said for `seconds`, the longest silent first, at most `most`. */
export async function findSilent(db: Db, seconds: number, most: number): Promise<SilentHandoff[]> {
  const { rows } = await sql<SilentHandoff>`
    select id, unit_id as "unitId" from handoff
    where closed_at is null and ${silentFor(seconds)}
    order by spoken_at limit ${most}`.execute(db)
  return rows
}

/** A reply speaks when it is sent: one that waits for the provider, or has just arrived, breaks the silence. */
function silentFor(seconds: number) {
  const since = sql`statement_timestamp() - make_interval(secs => ${seconds})`
  return sql<boolean>`spoken_at <= ${since} and not exists (
        select from turn where turn.handoff_id = handoff.id and (turn.state = 'pending' or turn.closed_at > ${since}))`
}
