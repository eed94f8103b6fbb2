import { sql } from 'kysely'
import type { CallbackType } from '../../contract/callback.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import type { MessageState, WaveState } from '../../domain/message-state.ts'
import type { Counters } from '../../domain/stats.ts'
import { anyOf } from '../any-of.ts'
import type { Trx } from '../connect.ts'

/** One delivery that is to be tried now, with all that its request holds. */
export type DueDelivery = {
  id: string
  callbackId: string
  tries: number
  unitId: string
  url: string
  secret: Buffer
  /** The one before it, while it still signs. */
  oldSecret: Buffer | null
  type: CallbackType
  at: Date
  messageId: string
  state: MessageState
  from: MessageState | null
  version: number
  /** The first send, then the reminder. */
  waves: ToldWave[]
}
export type ToldWave = Counters & { state: WaveState; byChannel: Partial<Record<Channel, Counters>> }

/**
 * Takes up to `limit` deliveries that are due, each for `leaseSeconds`: of one message only the oldest, and of one
 * callback never more than `perCallback` at a time, so that a slow one holds up nobody else. Workers share the work.
 */
export async function takeCallbackDeliveries(
  trx: Trx,
  { limit, perCallback, leaseSeconds }: { limit: number; perCallback: number; leaseSeconds: number },
): Promise<DueDelivery[]> {
  const callbacks = await lockDue(trx)
  if (callbacks.length === 0) return []
  const { rows } = await sql<DueDelivery>`
    with taken as (
      update callback_delivery as d
      set tries = tries + 1, last_try_at = clock_timestamp(),
        lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where id in (
        select due.id
        from callback as c, lateral (
          select d.id from callback_delivery as d
          where d.callback_id = c.id and d.outcome = 'waiting' and d.next_try_at <= clock_timestamp()
            and (d.lease_until is null or d.lease_until < clock_timestamp())
            and not exists (select from callback_delivery as older
              where older.callback_id = d.callback_id and older.message_id = d.message_id
                and older.outcome = 'waiting' and older.id < d.id)
          order by d.next_try_at
          limit greatest(0, ${perCallback} - (select count(*) from callback_delivery as held
            where held.callback_id = c.id and held.outcome = 'waiting' and held.lease_until > clock_timestamp()))
          for update of d skip locked) as due
        where c.id = ${anyOf(callbacks)}
        limit ${limit})
      returning d.*
    )
    select taken.id, taken.callback_id as "callbackId", taken.tries, c.unit_id as "unitId", c.url, c.secret,
      case when c.old_secret_until > clock_timestamp() then c.old_secret end as "oldSecret",
      taken.type, taken.at, taken.message_id as "messageId", taken.state, taken.from_state as "from", taken.version,
      (select coalesce(json_agg(json_build_object('state', state, 'expected', expected, 'sent', sent,
          'failed', failed, 'unknown', unknown, 'skipped', skipped, 'byChannel', by_channel) order by number), '[]')
        from wave where wave.message_id = taken.message_id) as waves
    from taken join callback as c on c.id = taken.callback_id
    order by taken.id
  `.execute(trx)
  return rows
}

/** Callbacks with something to be told whom nobody else is taking from: what of theirs is under way is counted then. */
async function lockDue(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from callback
    where enabled and exists (
      select from callback_delivery as d
      where d.callback_id = callback.id and d.outcome = 'waiting' and d.next_try_at <= clock_timestamp()
        and (d.lease_until is null or d.lease_until < clock_timestamp()))
    for no key update skip locked
  `.execute(trx)
  return rows.map(({ id }) => id)
}
