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
import type { DeliveryContext } from './context.ts'
import { reserveForWave } from './tally.ts'

/**
 * Begins the wave that is up once it is due by Postgres' clock, in one short transaction. Where the audience of a message
 * has outgrown what was approved, or quota is short for it, it drifts back to review instead. Nothing happens to what is
 * not due or was moved by somebody else.
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
 * Today's audience, counted before any lock, for it may take a second. Null where a message names its people, answers an
 * event or reminds: it reaches whom it names, and there is nothing to look at again.
 */
export async function countCurrentAudience(
  { db }: Services,
  wave: WaveInfo,
): Promise<Snapshot['recipients'] | null> {
  if (wave.audience.kind === 'individual' || wave.origin === 'event' || wave.reminds) return null
  return countAudience(db, wave)
}

/**
 * This wave is up and waits no longer: its time has come and the message's expiry has not, by Postgres' clock, and it
 * disturbs nobody's quiet hours.
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

/** The move of what is due: true when it is sending now, false when it drifted. */
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
  const month = monthOf(new Date(now), quotaTimeZone)
  return (await reserveForWave(trx, wave, month, counted.byChannel)) ? null : 'quota'
}

/**
 * What was approved is no longer what would be sent: the message goes back to review with a new snapshot and without its
 * reservation, and is checked automatically at once. Its frozen content stays.
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
    },
  )
  await checkAutomatically(services, trx, locked)
}
