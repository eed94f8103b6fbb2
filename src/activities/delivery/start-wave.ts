import type { Trx } from '../../db/connect.ts'
import { findActiveWaveInfo, type WaveInfo } from '../../db/queries/delivery/wave.ts'
import { findFrozen } from '../../db/queries/message/content.ts'
import { releaseAll } from '../../db/queries/quota/quota.ts'
import type { Drift } from '../../domain/audience/drift.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { stateAfter } from '../../domain/message/moves.ts'
import { withoutRecipientCount } from '../../domain/message/no-recipients.ts'
import { withoutPace } from '../../domain/message/pace.ts'
import { quietHoursEnd } from '../../domain/message/quiet-hours.ts'
import type { Services } from '../../services/context.ts'
import { checkAutomatically } from '../../services/messages/approve.ts'
import { gatherAudienceFacts } from '../../services/messages/audience-facts.ts'
import { snapshotOf } from '../../services/messages/forecast.ts'
import {
  activeWave,
  applyMove,
  type LockedMessage,
  lockMessage,
  positionOf,
  wavesOf,
} from '../../services/messages/move.ts'
import { categoryOf } from '../../services/messages/prepare.ts'
import { applyTargetingRules, becameSmall } from '../../services/messages/small-audience.ts'
import { type CheckedAudience, checkAudience, type DriftFound } from './check-audience.ts'
import type { DeliveryContext } from './context.ts'
import { reserveForWave } from './reserve-quota.ts'

/**
 * Starts the active wave once it is due by Postgres' clock, in one short transaction. If the audience is not the one
 * that was approved, has become small, or quota is short for it, the message drifts back to review instead. Returns the id
 * of the wave if it is being sent; null if it is not due or another move was made first.
 */
export async function startWave({ services }: DeliveryContext, messageId: string): Promise<string | null> {
  const wave = await findActiveWaveInfo(services.db, messageId)
  if (!wave) return null
  if (wave.state === 'sending') return wave.waveId
  const checked = await checkAudience(services, wave)
  return services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, messageId)
    if (!isDue(locked, wave)) return null
    if (await returnIfOther(services, trx, locked, wave, checked)) return null
    await applyMove(trx, locked, 'start', byRun)
    return wave.waveId
  })
}

/** The move of a wave that starts is its run's. */
export const byRun = { actor: 'system:run', byRun: true } as const

/**
 * Whether this wave is active, waiting and due by Postgres' clock: its time has come, the message has not expired, and
 * quiet hours do not hold it back.
 */
export function isDue(locked: LockedMessage, { waveId, quiet }: WaveInfo): boolean {
  const { message, now } = locked
  const up = activeWave(locked)
  if (up?.id !== waveId || up.state !== 'waiting') return false
  if (message.state !== 'approved' && message.state !== 'sent') return false
  const { expires_at, hold_until } = message
  const due = message.state === 'sent' ? message.remind_at : message.schedule_at
  if (hold_until !== null && now < hold_until.getTime()) return false
  if (quiet && quietHoursEnd(quiet, now) !== null) return false
  return (due === null || due.getTime() <= now) && (expires_at === null || now < expires_at.getTime())
}

/** Returns a message to review whose audience is not the one that was approved, or for which quota is short. */
export async function returnIfOther(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  wave: WaveInfo,
  checked: CheckedAudience | null,
): Promise<boolean> {
  const drift = checked && (checked.drift ?? (await reasonToReturn(services, trx, locked, wave, checked)))
  if (drift) await applyDrift(services, trx, locked, drift)
  return drift !== null
}

/**
 * Reserves exactly what the recipients cost. An audience that has become small without a change that matters, or a
 * shortage of quota, is a reason to return to review.
 */
async function reasonToReturn(
  { quotaTimeZone }: Services,
  trx: Trx,
  { message, now }: LockedMessage,
  wave: WaveInfo,
  { recipients }: CheckedAudience,
): Promise<DriftFound | null> {
  const unchanged = { byChannel: {}, exact: true, groups: [] }
  if (await becameSmall(trx, message, recipients)) return { reason: 'audience', ...unchanged }
  const month = monthOf(new Date(now), quotaTimeZone)
  if (await reserveForWave(trx, wave, month, recipients.byChannel)) return null
  return { reason: 'quota', ...unchanged }
}

/**
 * Returns a message to review whose deliveries were rolled back (`AudienceDrifted`). Does nothing if another move was
 * made first: a paused wave is checked again when it is resumed.
 */
export async function returnToReview(
  services: Services,
  { messageId, waveId }: WaveInfo,
  drift: DriftFound,
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, messageId)
    const up = activeWave(locked)
    const unwritten = up?.id === waveId && up.expected === null
    if (unwritten && stateAfter(positionOf(locked), 'drift', locked.now) !== null)
      await applyDrift(services, trx, locked, drift)
  })
}

/**
 * Returns the message to review with a new snapshot and what changed since the one that was approved, releases its
 * reservation, and runs the automatic check at once. The frozen content stays.
 */
async function applyDrift(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  drift: DriftFound,
): Promise<void> {
  const { message, now } = locked
  const before = { ...message.snapshot!, at: message.snapshot_at! }
  const category = await categoryOf(trx, message)
  const { compiled = {}, compiledReminder = null } = (await findFrozen(trx, message.id)) ?? {}
  const content = {
    compiled,
    compiledReminder,
    violations: withoutRecipientCount(before.violations),
    warnings: withoutPace(withoutRecipientCount(before.warnings ?? [])),
  }
  await releaseAll(trx, ...wavesOf(locked).map(({ id }) => id))
  const recipients = await gatherAudienceFacts(trx, message, category)
  const snapshot = await snapshotOf(services, trx, message, recipients, content, now)
  const changed: Drift = {
    ...drift,
    since: before.at.toISOString(),
    recipients: { approved: before.recipients.total, current: recipients.total },
  }
  const targeting = await applyTargetingRules(trx, message, recipients, {
    principal: null,
    actor: 'system:run',
  })
  await applyMove(
    trx,
    locked,
    'drift',
    { actor: 'system:run', reason: drift.reason },
    {
      snapshot: JSON.stringify(snapshot),
      snapshot_at: new Date(now),
      review_drift: true,
      review_reason: null,
      hold_until: null,
      drift: JSON.stringify(changed),
      ...targeting,
    },
  )
  await checkAutomatically(services, trx, locked)
}
