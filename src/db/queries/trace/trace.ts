import { sql } from 'kysely'
import type { Channel, DeliveryState, WaveState } from '../../../contract/enums.ts'
import type { SkipReason } from '../../../domain/audience/audience.ts'
import type { Db } from '../../connect.ts'
import type { CallState } from '../../tables.ts'
import { type AudienceSpec, audience } from '../audience/rows.ts'
import { findGroupQueries } from '../audience/subjects.ts'
import { actorName } from '../identity/person.ts'

/** The rows of one message and one person, for `carillon trace`. */

/** The most moves that a trace shows: a message that is edited by a program may have thousands. */
const movesShown = 200

/** The newest moves of a message or run, in order. Reading is none. */
export async function movesOf(db: Db, objectKind: 'message' | 'scenario_run', objectId: string) {
  const newest = await db
    .selectFrom('audit')
    .select(['at', 'action', 'actor', 'reason', 'from_state', 'to_state'])
    .select(({ ref }) => actorName(ref('audit.actor')).as('actor_name'))
    .where('object_kind', '=', objectKind)
    .where('object_id', '=', objectId)
    .where('action', '<>', 'read')
    .orderBy('id', 'desc')
    .limit(movesShown)
    .execute()
  return newest.reverse()
}

export type TracedMove = Awaited<ReturnType<typeof movesOf>>[number]

export type TracedCall = {
  callNumber: number
  tries: number
  firstTryAt: string | null
  state: CallState
  code: string | null
  requestId: string | null
  retryKey: string
}
export type TracedDelivery = {
  channel: Channel
  state: DeliveryState
  reason: string | null
  batch: number | null
  size: number | null
  calls: TracedCall[]
}
export type TracedWave = {
  number: number
  state: WaveState
  parked: string | null
  expected: number | null
  /** Its deliveries have been deleted. */
  purged: boolean
  startedAt: Date | null
  finishedAt: Date | null
  deliveries: TracedDelivery[]
}

/** The waves of a message with one person's deliveries; for repeated mail, with the calls of its last batch. */
export async function wavesFor(db: Db, messageId: string, subjectId: string): Promise<TracedWave[]> {
  const { rows } = await sql<TracedWave>`
    select number, state, parked, expected, purged_at is not null as purged, started_at as "startedAt", finished_at as "finishedAt", (
      select coalesce(jsonb_agg(jsonb_build_object('channel', delivery.channel, 'state', delivery.state,
        'reason', delivery.reason, 'batch', delivery.batch, 'size', (
          select size from batch
          where batch.wave_id = delivery.wave_id and batch.channel = delivery.channel and batch.number = delivery.batch
        ), 'calls', (
          select coalesce(jsonb_agg(jsonb_build_object('callNumber', call_number, 'tries', tries, 'firstTryAt', first_try_at,
            'state', call.state, 'code', code, 'requestId', request_id, 'retryKey', retry_key) order by call_number), '[]')
          from call
          where call.wave_id = delivery.wave_id and call.channel = delivery.channel and call.batch = delivery.batch
            and ${subjectId}::uuid = any(subject_ids)
        )) order by (delivery.reason = 'fallback') is true desc, delivery.channel), '[]')
      from delivery
      where delivery.wave_id = wave.id and delivery.subject_id = ${subjectId}
    ) as deliveries
    from wave where message_id = ${messageId} order by number
  `.execute(db)
  return rows
}

/** The person's answers to the message. */
export async function answersOf(db: Db, messageId: string, subjectId: string) {
  const { rows } = await sql<{
    at: Date
    option: string | null
    n: number | null
    o: string | null
    channel: Channel | null
  }>`
    select at, option_id as option, n, o, channel from message_answer
    where message_id = ${messageId} and subject_id = ${subjectId}
    union all
    select at, null, null, null, null from do_not_remind where message_id = ${messageId} and subject_id = ${subjectId}
    order by at
  `.execute(db)
  return rows
}

/** The verdict that one person would get now; undefined if the audience does not name them. */
export async function currentVerdict(
  db: Db,
  spec: AudienceSpec,
  subjectId: string,
): Promise<{ verdict: SkipReason | null } | undefined> {
  const groupQueries = await findGroupQueries(db, spec.unitId, spec.audience)
  const { rows } = await sql<{ verdict: SkipReason | null }>`
    select verdict from (${audience({ ...spec, groupQueries })}) as audience where subject_id = ${subjectId}
  `.execute(db)
  return rows[0]
}
