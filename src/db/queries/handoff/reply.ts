import { sql } from 'kysely'
import type { TurnState } from '../../../contract/enums.ts'
import type { NodeMessages } from '../../../domain/scenario/deliverable-channels.ts'
import type { Db, Trx } from '../../connect.ts'
import type { HandoffRow } from './records.ts'

/** A call that replies: the key names it among those of its handoff. */
export type ReplyCall = { handoffId: string; idempotencyKey: string | null; bodyHash: Buffer }

/** The reply of a handoff with this key; undefined if there is none. */
export async function findReply(
  db: Db,
  { handoffId, idempotencyKey }: { handoffId: string; idempotencyKey: string },
): Promise<{ id: string; bodyHash: Buffer; state: TurnState } | undefined> {
  const { rows } = await sql<{ id: string; bodyHash: Buffer; state: TurnState }>`
    select message.id, message.body_hash as "bodyHash", turn.state
    from handoff_message as message join turn on turn.id = message.turn_id
    where message.handoff_id = ${handoffId} and message.idempotency_key = ${idempotencyKey}`.execute(db)
  return rows[0]
}

/** Who is at the other end of a handoff: its person, or who has been bound to the chat address since. */
const otherEnd = sql`coalesce(handoff.subject_id, named.subject_id)`

const withOtherEnd = sql`handoff
      left join address as named on named.channel = 'chat' and named.address = handoff.channel_user
      left join address as chat on chat.channel = 'chat' and chat.subject_id = ${otherEnd}`

/** Whether a reply can arrive: in the chat (`ok`), not while the person blocks the account, or to nobody. */
export type Reach = 'ok' | 'blocked' | 'unbound'

/** Whether a reply in a handoff would arrive now. */
export async function findReach(db: Db, id: string): Promise<Reach> {
  const { rows } = await sql<{ reach: Reach }>`
    select case when chat.address is null then 'unbound' when chat.blocked_at is not null then 'blocked'
      else 'ok' end as reach
    from ${withOtherEnd} where handoff.id = ${id}`.execute(db)
  return rows[0]!.reach
}

/** Whether somebody else than `actor` has replied in a handoff after the message `after` (null: at all). */
export async function hasReplyOfOthers(
  db: Db,
  { handoffId, actor, after }: { handoffId: string; actor: string; after: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    select from handoff_message where handoff_id = ${handoffId} and turn_id is not null and actor <> ${actor}
      and (${after}::uuid is null or id > ${after}::uuid) limit 1`.execute(db)
  return rows.length > 0
}

/** A handoff to reply in. `subjectId` null: the chat address is bound to no subject. */
type RepliedHandoff = Pick<HandoffRow, 'closedAt' | 'closedBy' | 'subjectId'> & { chat: boolean }

/**
 * Locks a handoff for a reply, and reads who is at its other end: the person, or who has been bound to the chat
 * address since. `chat`: whether they have a chat address.
 */
export async function lockForReply(trx: Trx, id: string): Promise<RepliedHandoff> {
  await sql`select from handoff where id = ${id} for no key update`.execute(trx)
  const { rows } = await sql<RepliedHandoff>`
    select handoff.closed_at as "closedAt", handoff.closed_by as "closedBy", ${otherEnd} as "subjectId", chat.address is not null as chat
    from ${withOtherEnd} where handoff.id = ${id}`.execute(trx)
  return rows[0]!
}

/** What a unit replies. */
type NewReply = ReplyCall & { subjectId: string; actor: string; says: NodeMessages[]; words: Buffer | null }

/**
 * To how many other people keys of a unit have said the same words within an hour. Until the transaction ends, no other reply
 * with them is counted.
 */
export async function countToldByKeys(
  trx: Trx,
  { unitId, words, subjectId }: { unitId: string; words: Buffer; subjectId: string },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`words ${unitId} ${words.toString('hex')}`}, 0))`.execute(
    trx,
  )
  const { rows } = await sql<{ people: number }>`
    select count(distinct handoff.subject_id)::integer as people
    from handoff_message as message join handoff on handoff.id = message.handoff_id
    where message.words = ${words} and message.at > clock_timestamp() - interval '1 hour'
      and handoff.unit_id = ${unitId} and handoff.subject_id <> ${subjectId}`.execute(trx)
  return rows[0]!.people
}

/**
 * Stores a reply, to be said by a background task: a turn without a run. Undefined, and nothing is written, if the
 * handoff has one with this key. Requires its lock.
 */
export async function insertReply(trx: Trx, reply: NewReply): Promise<string | undefined> {
  const { handoffId, subjectId, actor, says, idempotencyKey, bodyHash, words } = reply
  const { rows } = await sql<{ id: string }>`
    with said as (
      insert into turn (handoff_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says)
      select handoff.id, coalesce((select max(number) from turn where turn.handoff_id = handoff.id), 0) + 1, '', '', subject.id,
        handoff.unit_id, true, subject.locale, ${JSON.stringify(says)}
      from handoff join subject on subject.id = ${subjectId}
      where handoff.id = ${handoffId} and not exists (select from handoff_message as message
        where message.handoff_id = handoff.id and message.idempotency_key = ${idempotencyKey})
      returning id
    ),
    spoken as (
      update handoff set spoken_at = clock_timestamp(), subject_id = ${subjectId} from said where handoff.id = ${handoffId}
    )
    insert into handoff_message (handoff_id, turn_id, actor, idempotency_key, body_hash, words)
    select ${handoffId}, said.id, ${actor}, ${idempotencyKey}, ${bodyHash}, ${words} from said
    returning id`.execute(trx)
  return rows[0]?.id
}
