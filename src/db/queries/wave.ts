import { sql } from 'kysely'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Trx } from '../connect.ts'
import { capOf, type GateSpec } from './audience/gates.ts'
import type { Written } from './deliveries.ts'
import type { WaveRow } from './locked-message.ts'

/**
 * Asks to be the one who writes a wave's rows, until the transaction ends. `busy`: somebody else is at it; `done`: they
 * are written.
 */
export async function writeAlone(trx: Trx, waveId: string): Promise<'ours' | 'busy' | 'done'> {
  const { rows: locks } = await sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${waveId}, 0)) as ours
  `.execute(trx)
  if (!locks[0]!.ours) return 'busy'
  const { expected } = await trx
    .selectFrom('wave')
    .select('expected')
    .where('id', '=', waveId)
    .executeTakeFirstOrThrow()
  return expected === null ? 'ours' : 'done'
}

/**
 * Where the category has a frequency cap, one message of it at a time writes its rows, until the transaction ends: so
 * each sees whom the ones before it are about to tell. False: it is another's turn.
 */
export async function takeCapTurn(trx: Trx, rules: GateSpec): Promise<boolean> {
  if (!capOf(rules)) return true
  const { rows } = await sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`cap ${rules.categoryId}`}, 0)) as ours
  `.execute(trx)
  return rows[0]!.ours
}

/** What a wave begins with: those skipped from the start are counted already. Under its lock. */
export async function setExpected(trx: Trx, waveId: string, written: Written): Promise<void> {
  await trx
    .updateTable('wave')
    .set({
      expected: written.expected,
      skipped: JSON.stringify(written.skipped),
      by_channel: JSON.stringify(written.byChannel),
    })
    .where('id', '=', waveId)
    .execute()
}

/** Keeps the poker away while a slice works: the run need not look before a minute from now. Locks the message. */
export async function lookInAMinute(trx: Trx, messageId: string): Promise<void> {
  await sql`
    update message set next_look_at = clock_timestamp() + interval '60 seconds'
    where id = ${messageId} and closed_at is null and next_look_at is not null
  `.execute(trx)
}

/** Locks a wave. Whoever needs its message locks that first. */
export function lockWave(trx: Trx, waveId: string): Promise<WaveRow> {
  return trx
    .selectFrom('wave')
    .selectAll()
    .where('id', '=', waveId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** The month whose ledger the wave's next pushes are counted in. */
export async function setMonth(trx: Trx, waveId: string, month: string): Promise<void> {
  await trx.updateTable('wave').set({ month }).where('id', '=', waveId).execute()
}

/** Members of batches that are not counted yet, by channel: for whom quota must stay reserved. */
export async function membersLeft(trx: Trx, waveId: string): Promise<Partial<Record<Channel, number>>> {
  const rows = await trx
    .selectFrom('batch')
    .select(['channel', sql<number>`sum(size)::int`.as('members')])
    .where('wave_id', '=', waveId)
    .where('state', '<>', 'folded')
    .where('repeats', '=', false)
    .groupBy('channel')
    .execute()
  return Object.fromEntries(rows.map(({ channel, members }) => [channel, members]))
}
