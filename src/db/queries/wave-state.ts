import { sql } from 'kysely'
import type { WaveState } from '../../domain/message-state.ts'
import { isOpen } from '../../domain/waves.ts'
import type { Trx } from '../connect.ts'
import type { WaveRow } from './locked-message.ts'

/** Writes a wave's state where it changes, and what goes with it; `wave` is brought up to date. Under its lock. */
export async function setWaveState(trx: Trx, wave: WaveRow, state: WaveState): Promise<void> {
  if (wave.state === state) return
  const now = sql<Date>`clock_timestamp()`
  const changed = await trx
    .updateTable('wave')
    .set({
      state,
      ...(state === 'sending' && wave.started_at === null && { started_at: now }),
      ...(!isOpen(state) && { parked: null, parked_at: null, probe_at: null, finished_at: now }),
    })
    .where('id', '=', wave.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  Object.assign(wave, changed)
}
