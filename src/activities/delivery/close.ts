import type { Trx } from '../../db/connect.ts'
import { closeMessage, countOpenBatches, endWaves, lockReminder } from '../../db/queries/close.ts'
import type { WaveCounters } from '../../db/queries/fold.ts'
import { releaseAll } from '../../db/queries/quota.ts'
import type { WaveBrief } from '../../db/queries/wave-brief.ts'
import type { WaveState } from '../../db/tables.ts'
import type { MessageState, WaveResult } from '../../domain/message-state.ts'
import { applyMove, type LockedMessage, lockMessage } from '../../services/move.ts'
import { foldDone } from './fold.ts'

/** `open`: its end has not come. `left`: its end has come, and there are still batches to be ended. */
export type Ended = 'open' | 'left' | 'closed'

/** How a wave ends with its message; any other end of a message leaves it sent. */
const waveEnds: Partial<Record<MessageState, WaveState>> = {
  cancelled: 'cancelled',
  rejected: 'cancelled',
  stopped: 'stopped',
  expired: 'expired',
}

/**
 * Counts what is finished, and where nothing is left decides the message's end, gives back what is still reserved and
 * closes it. A message that was sent stays open while its reminder is to come; one that was not takes the reminder with
 * it. Locks message, then waves; the ledger last.
 */
export async function close(trx: Trx, messageId: string, wave: WaveBrief | undefined): Promise<Ended> {
  const locked = await lockMessage(trx, messageId)
  if (locked.message.closed_at) return 'closed'
  if (!isEnding(locked)) return 'open'
  const reminder = locked.message.remind_at ? await lockReminder(trx, messageId) : undefined
  const counters = wave && locked.wave ? await foldDone(trx, wave, locked.wave) : undefined
  const open = wave ? await countOpenBatches(trx, wave.waveId) : 0
  // Of a message that is to be sent and has time, what is left is not for here.
  if (open > 0) return mayStillSend(locked) ? 'open' : 'left'

  const state = await decide(trx, locked, counters)
  const reminding = reminder !== undefined && state === 'sent'
  const ended = [locked.wave?.id, reminding ? undefined : reminder].filter((id) => id !== undefined)
  await endWaves(trx, ended, waveEnds[state] ?? 'sent')
  if (!reminding) await closeMessage(trx, messageId)
  await releaseAll(trx, ...ended)
  return reminding ? 'open' : 'closed'
}

/** Its rows are written and nobody holds it, or it will not be sent any more. */
function isEnding(locked: LockedMessage): boolean {
  const { message, wave } = locked
  if (mayStillSend(locked)) return wave?.expected !== null
  return !['draft', 'submitted', 'approved', 'paused'].includes(message.state)
}

function mayStillSend({ message, now }: LockedMessage): boolean {
  const { state, expires_at } = message
  return state === 'sending' && (expires_at === null || now < expires_at.getTime())
}

async function decide(trx: Trx, locked: LockedMessage, counters: WaveCounters | undefined) {
  const { state } = locked.message
  if (state !== 'sending') return state
  return applyMove(trx, locked, 'finish', {
    actor: 'system:run',
    byRun: true,
    result: resultOf(locked, counters),
  })
}

/** Rows that were never written, before it expired, were told nothing: it expired as a whole. */
function resultOf({ wave }: LockedMessage, counters: WaveCounters | undefined): WaveResult {
  if (!counters || wave?.expected === null) return { sent: 0, unknown: 0, failed: 0, expired: 1 }
  const { sent, unknown, failed, skipped } = counters
  return { sent, unknown, failed, expired: skipped.expired ?? 0 }
}
