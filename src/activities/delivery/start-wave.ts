import type { Trx } from '../../db/connect.ts'
import { countAudience } from '../../db/queries/audience/count.ts'
import { findActiveWaveInfo, type WaveInfo } from '../../db/queries/delivery/wave.ts'
import { findCompiled } from '../../db/queries/message/content.ts'
import { releaseAll } from '../../db/queries/quota/quota.ts'
import type { Snapshot } from '../../domain/audience.ts'
import { hasDrifted } from '../../domain/drift.ts'
import { monthOf } from '../../domain/month.ts'
import { quietHoursEnd } from '../../domain/quiet-hours.ts'
import type { Services } from '../../services/context.ts'
import { checkAutomatically } from '../../services/messages/approve.ts'
import { takeSnapshot } from '../../services/messages/forecast.ts'
import {
  activeWave,
  applyMove,
  type LockedMessage,
  lockMessage,
  wavesOf,
} from '../../services/messages/move.ts'
import { categoryOf } from '../../services/messages/prepare.ts'
import { becameSmall, treatAsTargeting } from '../../services/messages/small-audience.ts'
import type { DeliveryContext } from './context.ts'
import { reserveForWave } from './tally.ts'

/**
 * Starts the active wave once it is due by Postgres' clock, in one short transaction. If the audience has outgrown what
 * was approved, has become small, or quota is short for it, the message drifts back to review instead. Does nothing if
 * the wave is not due or another move was made first.
 */
export async function startWave(
  { services }: DeliveryContext,
  messageId: string,
): Promise<{ started: boolean }> {
  const wave = await findActiveWaveInfo(services.db, messageId)
  if (!wave) return { started: false }
  const counted = await countCurrentAudience(services, wave)
  return services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, messageId)
    if (!isDue(locked, wave)) return { started: activeWave(locked)?.state === 'sending' }
    return { started: await startOrDrift(services, trx, locked, wave, counted) }
  })
}

/**
 * Counts the current audience before any lock is taken, because it may take a second. Null for messages whose audience
 * is fixed and is not checked for drift: named individuals, also those of events, and reminders.
 */
export async function countCurrentAudience(
  { db }: Services,
  wave: WaveInfo,
): Promise<Snapshot['recipients'] | null> {
  if (wave.audience.kind === 'individual' || wave.reminds) return null
  return countAudience(db, wave)
}

/**
 * Whether this wave is active, waiting and due by Postgres' clock: its time has come, the message has not expired, and
 * quiet hours do not hold it back.
 */
export function isDue(locked: LockedMessage, { waveId, quiet }: WaveInfo): boolean {
  const { message, now } = locked
  const up = activeWave(locked)
  if (up?.id !== waveId || up.state !== 'waiting') return false
  if (message.state !== 'approved' && message.state !== 'sent') return false
  const due = message.state === 'sent' ? message.remind_at : message.schedule_at
  const { expires_at } = message
  if (quiet && quietHoursEnd(quiet, now) !== null) return false
  return (due === null || due.getTime() <= now) && (expires_at === null || now < expires_at.getTime())
}

/** Makes the move of a wave that is due: true if it is sending now, false if the message drifted. */
export async function startOrDrift(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  wave: WaveInfo,
  counted: Snapshot['recipients'] | null,
): Promise<boolean> {
  const reason = counted && (await reasonToDrift(services, trx, locked, wave, counted))
  if (reason) {
    await drift(services, trx, locked, reason)
    return false
  }
  await applyMove(trx, locked, 'start', { actor: 'system:run', byRun: true })
  return true
}

async function reasonToDrift(
  { quotaTimeZone }: Services,
  trx: Trx,
  { message, now }: LockedMessage,
  wave: WaveInfo,
  counted: Snapshot['recipients'],
): Promise<'audience' | 'quota' | null> {
  if (hasDrifted(message.snapshot!.recipients, counted)) return 'audience'
  if (await becameSmall(trx, message, counted)) return 'audience'
  const month = monthOf(new Date(now), quotaTimeZone)
  return (await reserveForWave(trx, wave, month, counted.byChannel)) ? null : 'quota'
}

/**
 * Returns the message to review with a new snapshot, releases its reservation, and runs the automatic check at once.
 * The frozen content stays.
 */
export async function drift(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  reason: 'audience' | 'quota',
): Promise<void> {
  const { message } = locked
  const category = await categoryOf(trx, message)
  const compiled = await findCompiled(trx, message.id)
  const content = { compiled, violations: message.snapshot!.violations }
  await releaseAll(trx, ...wavesOf(locked).map(({ id }) => id))
  const snapshot = await takeSnapshot(services, trx, message, category, content, locked.now)
  const by = { principal: null, actor: 'system:run' }
  const targeting = await treatAsTargeting(trx, message, snapshot.recipients, by)
  await applyMove(
    trx,
    locked,
    'drift',
    { actor: 'system:run', reason },
    {
      snapshot: JSON.stringify(snapshot),
      snapshot_at: new Date(locked.now),
      review_drift: true,
      review_reason: null,
      ...targeting,
    },
  )
  await checkAutomatically(services, trx, locked)
}
