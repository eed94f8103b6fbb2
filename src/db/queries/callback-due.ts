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

/** How many are taken at most, for how long; `busy`: how many places of this process each unit holds already. */
export type Places = {
  limit: number
  perCallback: number
  perUnit: number
  busy: Readonly<Record<string, number>>
  leaseSeconds: number
}

/**
 * Takes up to `limit` deliveries that are due, the oldest first, each for `leaseSeconds`. Of one message only the oldest,
 * of one callback never more than `perCallback` at a time in all processes, and of one unit never more than `perUnit` in
 * this one, so that a slow server holds up nobody else. Workers share the work.
 */
export async function takeCallbackDeliveries(
  trx: Trx,
  { limit, perCallback, perUnit, busy, leaseSeconds }: Places,
): Promise<DueDelivery[]> {
  const callbacks = await lockDue(trx)
  if (callbacks.length === 0) return []
  const { rows } = await sql<DueDelivery>`
    with taken as (
      update callback_delivery as d
      set tries = tries + 1, last_try_at = clock_timestamp(),
        lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where id in (
        select id from (
          select due.id, due.next_try_at,
            row_number() over (partition by c.unit_id order by due.next_try_at, due.id) as place,
            ${perUnit} - coalesce((${JSON.stringify(busy)}::jsonb ->> c.unit_id::text)::integer, 0) as places
          from callback as c, lateral (
            select d.id, d.next_try_at from callback_delivery as d
            where d.callback_id = c.id and d.outcome = 'waiting' and d.next_try_at <= clock_timestamp()
              and (d.lease_until is null or d.lease_until < clock_timestamp())
              and not exists (select from callback_delivery as older
                where older.callback_id = d.callback_id and older.message_id = d.message_id
                  and older.outcome = 'waiting' and older.id < d.id)
            order by d.next_try_at
            limit greatest(0, ${perCallback} - (select count(*) from callback_delivery as held
              where held.callback_id = c.id and held.outcome = 'waiting' and held.lease_until > clock_timestamp()))
          ) as due
          where c.id = ${anyOf(callbacks)}
        ) as theirs
        where place <= places
        order by next_try_at limit ${limit})
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

/**
 * Callbacks with something to be told whom nobody else is taking from: what of theirs is under way is counted then. Whoever
 * changes a delivery that waits holds its callback, so the deliveries need no lock of their own.
 */
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
