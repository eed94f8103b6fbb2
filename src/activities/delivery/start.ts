import type { Trx } from '../../db/connect.ts'
import { countAudience } from '../../db/queries/audience.ts'
import { beginWave } from '../../db/queries/wave.ts'
import { firstWaveBrief, type WaveBrief } from '../../db/queries/wave-brief.ts'
import type { Snapshot } from '../../domain/audience.ts'
import { hasDrifted } from '../../domain/drift.ts'
import { monthOf } from '../../domain/month.ts'
import type { Services } from '../../services/context.ts'
import { applyMove, type LockedMessage, lockMessage } from '../../services/move.ts'
import type { Delivery } from './delivery.ts'
import { drift } from './drift.ts'
import { coverWave } from './true-up.ts'

/**
 * Begins to send an approved message that is due by Postgres' clock, in one short transaction. Where its audience has
 * outgrown what was approved, or quota is short for it, it drifts back to review instead. Nothing happens to a message
 * that is not due or was moved by somebody else.
 */
export async function start({ services }: Delivery, messageId: string): Promise<{ started: boolean }> {
  const wave = await firstWaveBrief(services.db, messageId)
  if (!wave) return { started: false }
  const counted = await countNow(services, wave)
  return services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, messageId)
    if (!isDue(locked)) return { started: locked.message.state === 'sending' }
    return { started: await startOrDrift(services, trx, locked, wave, counted) }
  })
}

/**
 * Today's audience, counted before any lock, for it may take a second. Null where a message names its people or answers
 * an event: it reaches whom it names, and there is nothing to look at again.
 */
export async function countNow({ db }: Services, wave: WaveBrief): Promise<Snapshot['recipients'] | null> {
  if (wave.audience.kind === 'individual' || wave.origin === 'event') return null
  return countAudience(db, wave)
}

/** Approved, its send time come and its expiry not, by Postgres' clock. */
export function isDue({ message, now }: LockedMessage): boolean {
  const { state, schedule_at, expires_at } = message
  const due = schedule_at === null || schedule_at.getTime() <= now
  return state === 'approved' && due && (expires_at === null || now < expires_at.getTime())
}

/** The move of a message that is due: true when it is sending now, false when it drifted. */
export async function startOrDrift(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  wave: WaveBrief,
  counted: Snapshot['recipients'] | null,
): Promise<boolean> {
  const reason = counted && (await reasonToDrift(services, trx, locked, wave, counted))
  if (reason) {
    await drift(services, trx, locked, reason)
    return false
  }
  await applyMove(trx, locked, 'start', { actor: 'system:run', byRun: true })
  await beginWave(trx, wave.waveId)
  return true
}

async function reasonToDrift(
  { quotaTimeZone }: Services,
  trx: Trx,
  { message, now }: LockedMessage,
  wave: WaveBrief,
  counted: Snapshot['recipients'],
): Promise<'audience' | 'quota' | null> {
  if (hasDrifted(message.snapshot!.recipients, counted)) return 'audience'
  const month = monthOf(new Date(now), quotaTimeZone)
  return (await coverWave(trx, wave, month, counted.byChannel)) ? null : 'quota'
}
