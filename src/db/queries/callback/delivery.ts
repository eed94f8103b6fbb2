import { type QueryCreator, type Selectable, sql } from 'kysely'
import type {
  CallbackOutcome,
  CallbackType,
  MessageState,
  PlanMode,
  WaveState,
} from '../../../contract/enums.ts'
import type { WaveCounts } from '../../../domain/message/stats.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { lockRow, newestFirst, type RowPage } from '../../rows.ts'
import type { CallbackData, CallbackDeliveryTable, Database } from '../../tables.ts'
import { answerCounts } from '../answer/answer.ts'
import { mayNamePeople } from './answers.ts'
import { retryDeliveriesNow } from './callback.ts'
import { afterOlder } from './sequence.ts'

/** A change that is reported to the callbacks of the message's unit. */
export type MessageChange = {
  types: readonly CallbackType[]
  unitId: string
  messageId: string
  state: MessageState
  from: MessageState | null
  version: number
}

/** Writes the deliveries for a change that is not a move: a closed message. */
export async function insertMessageChange(trx: Trx, change: MessageChange): Promise<void> {
  await changeInto(trx, change).execute()
}

/**
 * A delivery for each callback of the unit that subscribes to a change, as part of another statement. For most units,
 * which have none, that costs one index lookup.
 */
export function changeInto(query: QueryCreator<Database>, change: MessageChange) {
  return query.insertInto('callback_delivery').columns(columns).expression(rowsOf(change))
}

const columns = [
  'callback_id',
  'message_id',
  'type',
  'state',
  'from_state',
  'version',
  'next_try_at',
] as const

/** Due at once, or together with an older pending one of the same message, to keep their order. */
function rowsOf({ types, unitId, messageId, state, from, version }: MessageChange) {
  return sql<never>`
    select callback.id, ${messageId}::uuid, change.type, ${state}, ${from}, ${version}::integer,
      ${afterOlder({ callbackId: sql`callback.id`, objectId: sql`${messageId}::uuid` })}
    from callback, unnest(${types}::text[]) with ordinality as change (type, ordinal)
    where callback.unit_id = ${unitId}::uuid and callback.enabled and change.type = any(callback.types)
    order by change.ordinal
  `
}

/** A delivery to try now, with everything its request contains. */
export type DueDelivery = {
  id: string
  callbackId: string
  tries: number
  unitId: string
  url: string
  secret: Buffer
  /** The previous secret, while it still signs. */
  oldSecret: Buffer | null
  type: CallbackType
  at: Date
  /** What it is about: a message, or a run with its scenario. `state` and `version` are the message's. */
  messageId: string | null
  run: { id: string; scenarioId: string; version: number } | null
  /** The handoff, import or person that it is about; null: it is about a message or a run. */
  objectId: string | null
  state: MessageState | null
  from: MessageState | null
  version: number | null
  /** Who answered, and the answer, the counts, or how the run ended; null for changes of state. */
  subjectId: string | null
  uid: string | null
  data: CallbackData | null
  /** Whether the callback may name people now. */
  mayNamePeople: boolean
  sequence: string
  /** The producer's own reference of the message. */
  reference: string | null
  planMode: PlanMode | null
  /** The span that the message stands in. */
  traceparent: string | null
  /** The first send, then the reminder. */
  waves: WaveStats[]
}
export type WaveStats = WaveCounts & { state: WaveState }

/** How many deliveries to take at most, and for how long; `busy`: slots of this process in use, by unit id. */
export type DeliverySlots = {
  limit: number
  perCallback: number
  perUnit: number
  busy: Readonly<Record<string, number>>
  leaseSeconds: number
}

/**
 * Takes up to `limit` due deliveries, oldest first, each for `leaseSeconds`: of one sequence only the oldest, of one
 * callback at most `perCallback` at a time across all processes, and of one unit at most `perUnit` in this process, so
 * that a slow server delays no other unit. Safe to call from several workers.
 */
export async function takeCallbackDeliveries(
  trx: Trx,
  { limit, perCallback, perUnit, busy, leaseSeconds }: DeliverySlots,
): Promise<DueDelivery[]> {
  const callbacks = await lockDue(trx)
  if (callbacks.length === 0) return []
  const { rows } = await sql<DueDelivery>`
    with due as (
      select id from (
        select due.id, due.next_try_at,
          row_number() over (partition by c.unit_id order by due.next_try_at, due.id) as ordinal,
          ${perUnit} - coalesce((${JSON.stringify(busy)}::jsonb ->> c.unit_id::text)::integer, 0) as slots
        from callback as c, lateral (
          select * from (
            select d.id, d.next_try_at from callback_delivery as d
            where d.callback_id = c.id and d.outcome = 'pending' and d.next_try_at <= statement_timestamp()
              and (d.lease_until is null or d.lease_until < clock_timestamp())
              and not exists (select from callback_delivery as older
                where older.callback_id = d.callback_id
                  and coalesce(older.message_id, older.run_id, older.object_id) = coalesce(d.message_id, d.run_id, d.object_id)
                  and older.sequence = d.sequence and older.outcome = 'pending' and older.id < d.id offset 0)
            order by d.next_try_at limit ${perCallback}
          ) as next
          limit greatest(0, ${perCallback} - (select count(*) from callback_delivery as held
            where held.callback_id = c.id and held.outcome = 'pending' and held.lease_until > statement_timestamp()))
        ) as due
        where c.id = ${anyOf(callbacks)}
      ) as of_unit
      where ordinal <= slots
      order by next_try_at limit ${limit}
    ),
    free as (
      select id from callback_delivery where id in (select id from due) for no key update skip locked
    ),
    taken as (
      update callback_delivery as d
      set tries = tries + 1, last_try_at = clock_timestamp(),
        lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where id in (select id from free)
      returning d.*
    )
    select taken.id, taken.callback_id as "callbackId", taken.tries, c.unit_id as "unitId", c.url, c.secret,
      case when c.old_secret_until > clock_timestamp() then c.old_secret end as "oldSecret",
      taken.type, taken.at, taken.message_id as "messageId", taken.state, taken.from_state as "from", taken.version,
      taken.object_id as "objectId", taken.subject_id as "subjectId", subject.uid, taken.data, taken.sequence, m.reference, m.traceparent,
      case when run.id is not null then json_build_object(
        'id', run.id, 'scenarioId', run.scenario_id, 'version', run.version_number) end as run,
      m.channel_plan ->> 'mode' as "planMode", ${mayNamePeople} as "mayNamePeople",
      (select coalesce(json_agg(json_build_object('state', state, 'expected', expected, 'sent', sent,
          'failed', failed, 'unknown', unknown, 'skipped', skipped, 'byChannel', by_channel,
          'people', people) order by number), '[]')
        from wave where wave.message_id = taken.message_id) as waves
    from taken join callback as c on c.id = taken.callback_id
      left join message as m on m.id = taken.message_id
      left join scenario_run as run on run.id = taken.run_id
      left join subject on subject.id = taken.subject_id
    order by taken.id
  `.execute(trx)
  return fixAnswers(trx, rows)
}

/**
 * Fixes the counts of taken `message.answer_counts` deliveries, so that every try sends the same. In a statement of its own,
 * which sees every answer whose transaction left its report to them (docs/design/transactions.md).
 */
async function fixAnswers(trx: Trx, deliveries: DueDelivery[]): Promise<DueDelivery[]> {
  const open = deliveries.filter(({ type, data }) => type === 'message.answer_counts' && data === null)
  if (open.length === 0) return deliveries
  const { rows } = await sql<{ id: string; data: CallbackData }>`
    update callback_delivery as d
    set data = jsonb_build_object('answers', ${answerCounts(sql.ref('d.message_id'))} -> 'byOption')
    where id = ${anyOf(open.map(({ id }) => id))} returning id, data
  `.execute(trx)
  const counts = new Map(rows.map(({ id, data }) => [id, data]))
  return deliveries.map((delivery) => ({ ...delivery, data: counts.get(delivery.id) ?? delivery.data }))
}

/**
 * Locks callbacks with due deliveries, skipping those locked by another worker, so that their leased deliveries can be
 * counted. Every change of a pending delivery holds its callback's lock, so deliveries need no lock of their own.
 */
async function lockDue(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from callback
    where enabled and exists (
      select from callback_delivery as d
      where d.callback_id = callback.id and d.outcome = 'pending' and d.next_try_at <= clock_timestamp()
        and (d.lease_until is null or d.lease_until < clock_timestamp()))
    for no key update skip locked
  `.execute(trx)
  return rows.map(({ id }) => id)
}

/** The result of a try: the HTTP status, and the reason of a failure. */
type TryResult = { status: number | null; code: string | null }

/** The number of tries, and the age of the delivery. */
type TryHistory = { tries: number; ageSeconds: number }

/**
 * Locks the callback, then the delivery that was tried: the usual lock order. Undefined if there is nothing to write:
 * the callback was deleted or disabled meanwhile, or the lease expired and another worker has taken the delivery.
 */
export async function lockTriedDelivery(
  trx: Trx,
  { id, callbackId, tries }: Pick<DueDelivery, 'id' | 'callbackId' | 'tries'>,
): Promise<TryHistory | undefined> {
  await lockRow(trx, 'callback', callbackId, 'change')
  return trx
    .selectFrom('callback_delivery')
    .select(['tries', sql<number>`extract(epoch from clock_timestamp() - at)::float8`.as('ageSeconds')])
    .where('id', '=', id)
    .where('outcome', '=', 'pending')
    .where('tries', '=', tries)
    .forUpdate()
    .executeTakeFirst()
}

/** Writes the final outcome of a delivery. */
export async function endDelivery(
  trx: Trx,
  id: string,
  outcome: Exclude<CallbackOutcome, 'pending'>,
  { status, code }: TryResult,
): Promise<void> {
  await trx
    .updateTable('callback_delivery')
    .set({ outcome, status, code, next_try_at: null, lease_until: null })
    .where('id', '=', id)
    .execute()
}

/** Schedules a retry in `seconds`, with jitter; later deliveries of the same sequence wait for it. */
export async function postponeDelivery(
  trx: Trx,
  {
    id,
    callbackId,
    messageId,
    run,
    objectId,
    sequence,
  }: Pick<DueDelivery, 'id' | 'callbackId' | 'messageId' | 'run' | 'objectId' | 'sequence'>,
  seconds: number,
  { status, code }: TryResult,
): Promise<void> {
  await sql`
    update callback_delivery
    set next_try_at = clock_timestamp() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random())),
      status = case when id = ${id} then ${status} else status end,
      code = case when id = ${id} then ${code} else code end,
      lease_until = case when id = ${id} then null else lease_until end
    where callback_id = ${callbackId} and coalesce(message_id, run_id, object_id) = ${messageId ?? run?.id ?? objectId} and sequence = ${sequence}
      and outcome = 'pending'
  `.execute(trx)
}

/** Records a success. If the callback was failing, its deliveries that wait for a retry become due. */
export async function recordSuccess(trx: Trx, callbackId: string): Promise<void> {
  const { rows } = await sql<{ recovered: boolean }>`
    update callback as c set delivered_at = clock_timestamp(), failing_since = null, exhausted = 0
    from (select failing_since from callback where id = ${callbackId}) as before
    where c.id = ${callbackId}
    returning before.failing_since is not null as recovered
  `.execute(trx)
  if (rows[0]?.recovered) await retryDeliveriesNow(trx, callbackId)
}

/** Records a failed try; `exhausted`: the delivery is exhausted. */
export async function recordFailure(trx: Trx, callbackId: string, exhausted: boolean): Promise<void> {
  await sql`
    update callback set failing_since = coalesce(failing_since, clock_timestamp()),
      exhausted = exhausted + ${exhausted ? 1 : 0}
    where id = ${callbackId}
  `.execute(trx)
}

export type CallbackDeliveryRow = Selectable<CallbackDeliveryTable>

/** A callback's deliveries, newest first. */
export async function listCallbackDeliveries(
  db: Db,
  callbackId: string,
  page: RowPage,
): Promise<CallbackDeliveryRow[]> {
  const rows = db.selectFrom('callback_delivery').selectAll().where('callback_id', '=', callbackId)
  return newestFirst(rows, 'id', page).execute()
}
