import type { Trx } from '../../db/connect.ts'
import { closeMessage, countOpenBatches } from '../../db/queries/close.ts'
import type { WaveCounters } from '../../db/queries/fold.ts'
import type { WaveRow } from '../../db/queries/locked-message.ts'
import { releaseAll } from '../../db/queries/quota.ts'
import type { WaveBrief } from '../../db/queries/wave-brief.ts'
import type { MessageState, WaveResult } from '../../domain/message-state.ts'
import { isOpen } from '../../domain/waves.ts'
import { applyMove, type LockedMessage, lockMessage, wavesOf, waveUp } from '../../services/move.ts'
import { foldDone, settleFolded } from './fold.ts'
import { repeatDoubtful } from './repeat.ts'

/** `open`: its end has not come. `left`: its end has come, and there are still batches to be ended. */
export type Ended = 'open' | 'left' | 'closed'

const beforeSend: readonly MessageState[] = ['draft', 'submitted', 'approved', 'paused']

/**
 * Counts what is finished of the wave that is up, and where nothing is left of it decides its end, gives back what is
 * still reserved and closes the message. A message that was sent stays open while its reminder is to come. Locks
 * message, then waves; the ledger last.
 */
export async function close(trx: Trx, messageId: string, wave: WaveBrief | undefined): Promise<Ended> {
  const locked = await lockMessage(trx, messageId)
  if (locked.message.closed_at) return 'closed'
  const up = waveUp(locked)
  if ((wave && up?.id !== wave.waveId) || !isEnding(locked, up)) return 'open'
  // In this order: a batch that another lane finishes in between is then still open here, and none is closed uncounted.
  const open = up ? await countOpenBatches(trx, up.id) : 0
  const counted = wave && up && (await foldDone(trx, wave, up))
  // Of a wave that is to be sent and has time, what is left is not for here.
  const left = mayStillSend(locked, up) ? 'open' : 'left'
  const ended = open > 0 ? left : await endNow(trx, locked, wave, counted?.counters)
  if (counted) await settleFolded(trx, wave, up, counted.folded)
  if (open === 0) await releaseAll(trx, ...overOf(locked))
  return ended
}

/** Nothing is left of the wave that is up: it is sent once more where the category wants that, or ends. */
async function endNow(
  trx: Trx,
  locked: LockedMessage,
  wave: WaveBrief | undefined,
  counters: WaveCounters | undefined,
): Promise<'open' | 'closed'> {
  const up = waveUp(locked)
  if (wave && counters && mayStillSend(locked, up) && (await repeatDoubtful(trx, wave, counters)))
    return 'open'
  const result = up && resultOf(up, counters)
  if (up?.state === 'sending' && result)
    await applyMove(trx, locked, 'finish', { actor: 'system:run', byRun: true, result })
  if (overOf(locked).length < wavesOf(locked).length) return 'open' // its reminder is to come
  await closeMessage(trx, locked.message.id)
  return 'closed'
}

/** The ids of the waves that are over. */
function overOf(locked: LockedMessage): string[] {
  return wavesOf(locked).flatMap(({ id, state }) => (isOpen(state) ? [] : [id]))
}

/** Its rows are written and nobody holds it, or it will not be sent any more. */
function isEnding(locked: LockedMessage, up: WaveRow | null): boolean {
  if (beforeSend.includes(locked.message.state) || up?.state === 'waiting' || up?.state === 'paused')
    return false
  return !mayStillSend(locked, up) || up?.expected !== null
}

function mayStillSend({ message, now }: LockedMessage, up: WaveRow | null): boolean {
  const { expires_at } = message
  return up?.state === 'sending' && !up.skip_rest && (expires_at === null || now < expires_at.getTime())
}

/** Rows that were never written, before it expired, were told nothing: it expired as a whole. */
function resultOf(up: WaveRow, counters: WaveCounters | undefined): WaveResult {
  if (!counters || up.expected === null) return { sent: 0, unknown: 0, failed: 0, expired: 1 }
  const { sent, unknown, failed, skipped } = counters
  return { sent, unknown, failed, expired: skipped.expired ?? 0 }
}
