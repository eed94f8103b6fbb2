import { sql } from 'kysely'
import { type FailedDeliveries, isAlerted, type Shortfall } from '../../../domain/message/shortfall.ts'
import type { CountedPeople } from '../../../domain/message/stats.ts'
import type { Db, Trx } from '../../connect.ts'

/** Why deliveries of a wave failed, the commonest reason first. Reads all of its deliveries. */
export async function failedDeliveriesOf(db: Db | Trx, waveId: string): Promise<FailedDeliveries[]> {
  const { rows } = await sql<FailedDeliveries>`
    select channel, coalesce(reason, 'rejected') as reason, count(*)::int as deliveries from delivery
    where wave_id = ${waveId} and state = 'failed' group by 1, 2 order by 3 desc, 1, 2
  `.execute(db)
  return rows
}

/** The people of a wave as `countPeople` has counted them; null: it need not. */
export async function findCountedPeople(trx: Trx, waveId: string): Promise<CountedPeople | null> {
  const { people } = await trx
    .selectFrom('wave')
    .select('people')
    .where('id', '=', waveId)
    .executeTakeFirstOrThrow()
  return people
}

/** Records that a wave which ends reached too few. Requires the wave's lock. */
export async function setShortfall(trx: Trx, waveId: string, shortfall: Shortfall): Promise<void> {
  await trx
    .updateTable('wave')
    .set({ shortfall: JSON.stringify(shortfall) })
    .where('id', '=', waveId)
    .execute()
}

/** A send, or a start of conversations, that ended within the last hour and reached too few. `id`: of the message or start. */
export type FailedSend = Shortfall & { id: string; unit: string; reminder: boolean; at: Date }

/** Such sends, the newest first, at most 1,000 of each. Reads partial indexes. */
export async function listFailedSends(db: Db): Promise<FailedSend[]> {
  const numbers = sql`(shortfall ->> 'people')::int as people, (shortfall ->> 'reached')::int as reached,
      shortfall -> 'reasons' as reasons`
  const { rows } = await sql<FailedSend>`
    (select message.id, unit.name as unit, wave.number > 0 as reminder, wave.finished_at as at, ${numbers}
    from wave join message on message.id = wave.message_id join unit on unit.id = message.unit_id
    where shortfall is not null and finished_at > clock_timestamp() - interval '1 hour'
    order by finished_at desc limit 1000)
    union all
    (select start.id, unit.name, false, start.ended_at, ${numbers}
    from scenario_start as start join scenario on scenario.id = start.scenario_id join unit on unit.id = scenario.unit_id
    where shortfall is not null and ended_at > clock_timestamp() - interval '1 hour'
    order by ended_at desc limit 1000)
    order by at desc
  `.execute(db)
  return rows
}

/** Such sends together, in numbers. `alerted`: to how many of them operators are alerted. */
export type SummedShortfalls = Shortfall & { sends: number; alerted: number }

/** Adds up the sends of `listFailedSends`. */
export async function sumFailedSends(db: Db): Promise<SummedShortfalls> {
  const sends = await listFailedSends(db)
  const sum = { people: 0, reached: 0, alerted: 0 }
  const byReason = new Map<string, FailedDeliveries>()
  for (const { people, reached, reasons } of sends) {
    sum.people += people
    sum.reached += reached
    if (isAlerted({ people, reached })) sum.alerted += 1
    for (const { channel, reason, deliveries } of reasons) {
      const key = `${channel} ${reason}`
      byReason.set(key, { channel, reason, deliveries: (byReason.get(key)?.deliveries ?? 0) + deliveries })
    }
  }
  const reasons = [...byReason.values()].sort((a, b) => b.deliveries - a.deliveries)
  return { sends: sends.length, ...sum, reasons }
}
