import { callsPerRecipient } from '../../channels/channel.ts'
import type { Channel } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { skipMembers } from '../../db/queries/delivery/batch-outcome.ts'
import { findOpenChannels, insertFallback } from '../../db/queries/delivery/deliveries.ts'
import { reserve } from '../../db/queries/quota/quota.ts'
import { type LockedMessage, wavesOf } from '../../services/messages/move.ts'
import type { BatchContext } from './batch-context.ts'
import { batchSizes } from './write-deliveries.ts'

/**
 * The channels to which members of a batch can still fall back: those after the batch's own in a `first_available`
 * plan. A reminder stays on the channel of its message, and a repeat stays on its own, because it may have arrived
 * already.
 */
export function remainingChannels({ wave, claim, claimed }: BatchContext): Channel[] {
  const { mode, channels } = wave.plan
  if (mode === 'all' || wave.reminds || claimed.repeats) return []
  return channels.slice(channels.indexOf(claim.channel) + 1)
}

/**
 * Moves these members to the next channel open to them, if its quota suffices: ends their rows as `skipped: fallback`
 * and inserts rows on that channel. Returns those who moved; the others are unchanged. The caller holds the
 * locks of message, wave and batch, and takes no contended lock afterwards: this locks the ledger.
 */
export async function fallBack(
  trx: Trx,
  work: BatchContext,
  locked: LockedMessage,
  subjectIds: string[],
): Promise<Set<string>> {
  const { wave, claim, claimed } = work
  const ways = remainingChannels(work)
  if (ways.length === 0 || subjectIds.length === 0) return new Set()
  const { waveId, unitId } = wave
  const { month } = wavesOf(locked).find(({ id }) => id === waveId)!
  const open = await findOpenChannels(trx, ways, subjectIds, wave)
  const moved: string[] = []
  for (const channel of ways.toSorted()) {
    const group = open.filter((one) => one.channel === channel).map(({ subjectId }) => subjectId)
    const pushes = group.length * callsPerRecipient(wave.compiled, channel)
    if (pushes === 0 || !(await reserve(trx, { waveId, unitId, channel, month, pushes })).ok) continue
    await insertFallback(
      trx,
      { waveId, channel, locale: claimed.locale, subjectIds: group },
      batchSizes[channel],
    )
    moved.push(...group)
  }
  const reason = 'fallback'
  if (moved.length > 0)
    await skipMembers(
      trx,
      claim,
      moved.map((subjectId) => ({ subjectId, reason })),
    )
  return new Set(moved)
}
