import { sql } from 'kysely'
import type { Problem } from '../../../contract/enums.ts'
import { stuckAfter } from '../../../domain/settlement.ts'
import type { Db, Trx } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'

type WaveIds = { waveId: string; messageId: string }

/** A parked wave tries one batch at least this often. */
export const probeEveryMs = 60_000
/** The first probe of a parked wave comes so soon, each later one after twice the time. */
const firstProbeMs = 1_000
/**
 * Parks a wave that is to be sent. `gate`: all of it waits for a probe, the first of which comes after a second and the
 * others later each time, up to a minute apart; otherwise only what fails waits, and others go on. One that was ended
 * meanwhile is left alone. Under the locks of message and wave.
 */
export async function parkWave(
  trx: Trx,
  wave: WaveIds,
  { problem, gate }: { problem: Problem; gate: boolean },
): Promise<void> {
  const parkedFor = sql`coalesce(clock_timestamp() - parked_at, '0')`
  const wait = sql`least(greatest(${parkedFor}, ${milliseconds(firstProbeMs)}), ${milliseconds(probeEveryMs)})`
  const { numUpdatedRows } = await trx
    .updateTable('wave')
    .set({
      parked: problem,
      parked_at: sql<Date>`coalesce(parked_at, clock_timestamp())`,
      ...(gate && { probe_at: sql<Date>`clock_timestamp() + ${wait}` }),
    })
    .where('id', '=', wave.waveId)
    .where('state', 'in', ['sending', 'paused'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await trx.updateTable('message').set({ problem }).where('id', '=', wave.messageId).execute()
}

/**
 * The wave goes on; where a batch of it still keeps failing by itself, it is shown as parked all the same. Under the locks
 * of message and wave.
 */
export async function unparkWave(trx: Trx, { waveId, messageId }: WaveIds): Promise<void> {
  await sql`
    with stuck as (
      select exists (
        select from batch where wave_id = ${waveId} and state = 'open' and tries >= ${stuckAfter.tries}
          and failing_since <= clock_timestamp() - ${milliseconds(stuckAfter.ms)}
      ) as any
    ),
    unparked as (
      update wave
      set probe_at = null, parked = case when stuck.any then coalesce(nullif(parked, 'quota'), 'provider') end,
        parked_at = case when stuck.any then parked_at end
      from stuck where id = ${waveId}
      returning parked
    )
    update message set problem = unparked.parked from unparked where id = ${messageId}
  `.execute(trx)
}

/** A parked wave may try again at once, and so may each of its batches that was put off. Under its lock. */
export async function probeNow(trx: Trx, waveId: string): Promise<void> {
  await sql`update wave set probe_at = clock_timestamp() where id = ${waveId} and probe_at is not null`.execute(
    trx,
  )
  await sql`update batch set not_before = null where wave_id = ${waveId} and state = 'open'`.execute(trx)
}

/** When a parked wave tries again: its next probe, or the next try of a batch that keeps failing. For queries of a wave. */
export function nextTryAt(wave: string) {
  const of = sql.ref(wave)
  return sql<Date | null>`case when ${of}.parked is not null then coalesce(${of}.probe_at, (
    select min(greatest(not_before, clock_timestamp())) from batch
    where batch.wave_id = ${of}.id and batch.state = 'open' and failing_since is not null
  ), clock_timestamp()) end`
}

/** Nothing of a wave begins any more; who is left is to be skipped. Under its lock. */
export async function skipRemaining(trx: Trx, waveId: string): Promise<void> {
  await trx.updateTable('wave').set({ skip_rest: true }).where('id', '=', waveId).execute()
}

/** Messages whose send or reminder stands still, by why. */
export type ParkedCounts = Record<Problem, number>

/** Reads a partial index. */
export async function countParked(db: Db): Promise<ParkedCounts> {
  const rows = await db
    .selectFrom('message')
    .select(['problem', sql<number>`count(*)::int`.as('messages')])
    .where('problem', 'is not', null)
    .groupBy('problem')
    .execute()
  const counts = Object.fromEntries(rows.map(({ problem, messages }) => [problem, messages]))
  return { provider: 0, provider_quota: 0, quota: 0, ...counts }
}
