import { sql } from 'kysely'
import type { Channel, ReviewReason } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { ApprovalOutcome, ApproveMessage } from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { findAuthorsSinceApproved } from '../../db/queries/approval/authors.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import type { Category } from '../../db/queries/catalogue/category.ts'
import { findTemplateVersion } from '../../db/queries/catalogue/template.ts'
import type { NewWave } from '../../db/queries/delivery/wave.ts'
import { automaticApprover as actor } from '../../db/queries/message/content.ts'
import { setReviewReason } from '../../db/queries/message/message.ts'
import { insertNotices } from '../../db/queries/message/notice.ts'
import { insertAuthorNotices } from '../../db/queries/notice/author-notice.ts'
import { reserve } from '../../db/queries/quota/quota.ts'
import type { MessageRow } from '../../db/tables.ts'
import { type AutomaticCheck, automaticCheck } from '../../domain/audience/automatic-check.ts'
import { channelEntries } from '../../domain/lib/channel-entries.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { ownMessage } from '../../domain/message/allowed-actions.ts'
import { holdEnd } from '../../domain/message/times.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { refuse } from '../refuse.ts'
import { monthOfSend, reminderPushes } from './forecast.ts'
import { applyApproval, assertVersion, type LockedMessage } from './move.ts'
import { categoryOf } from './prepare.ts'
import { smallnessIn } from './small-audience.ts'
import { transition } from './transitions.ts'

/**
 * Approves a submitted message and reserves its quota in the same transaction. A producer key only runs the automatic
 * check; a message that does not pass is a result, not an error.
 * @throws ServiceError not_found, forbidden, invalid_transition, self_approval, quota_exceeded with details
 *   {channel, short}
 */
export function approveMessage(
  services: Services,
  principal: Principal,
  id: string,
  { version }: ApproveMessage = {},
): Promise<ApprovalOutcome> {
  return transition(services, principal, id, 'approve', async (trx, locked, actor) => {
    await assertVersion(trx, locked, version)
    if (principal.kind === 'producer') return checkAutomatically(services, trx, locked)
    return approveByPerson(services, trx, locked, actor)
  })
}

async function approveByPerson(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  actor: string,
): Promise<ApprovalOutcome> {
  const authors = await findAuthorsSinceApproved(trx, 'message', locked.message.id)
  if (authors.includes(actor)) refuse(ownMessage)
  const { holdSeconds } = await categoryOf(trx, locked.message)
  const expiresAt = locked.message.expires_at?.getTime() ?? null
  const held = holdEnd(holdSeconds, { expiresAt }, locked.now)
  const waves = await approve(services, trx, locked, { actor, held })
  await insertAuthorNotices(trx, locked.message.id, 'approved')
  const shortage = await reserveFor(trx, locked.message, waves)
  if (shortage)
    throw new ServiceError(
      'quota_exceeded',
      `The ${shortage.channel} quota is ${shortage.short} pushes short. Ask a system administrator to raise it.`,
      shortage,
    )
  return { approved: true }
}

const noReview = { review_reason: null, review_drift: false }

/**
 * The automatic check of a submitted message, under the caller's lock: approves it, or leaves it in review and stores
 * the reason. The ledger decides about quota, since the snapshot may be old. `sources`: read by the caller's submit.
 */
export async function checkAutomatically(
  services: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  locked: LockedMessage,
  sources?: CheckedSources,
): Promise<ApprovalOutcome> {
  const reason =
    (await reasonAgainst(trx, locked.message, sources ?? (await findChecked(trx, locked.message)))) ??
    (await approveWithin(services, trx, locked))
  if (reason === null) return { approved: true }
  await setReviewReason(trx, locked.message.id, reason)
  await insertAudit(trx, {
    unitId: locked.message.unit_id,
    actor,
    action: 'auto_check',
    objectKind: 'message',
    objectId: locked.message.id,
    reason,
  })
  await insertNotices(trx, locked.message, noticeReason(locked.message, reason))
  return { approved: false, reason }
}

/** The reason in the mail to approvers; the message has the exact one. */
function noticeReason({ review_drift }: MessageRow, reason: ReviewReason) {
  if (reason === 'audience_small') return 'small'
  if (review_drift) return 'drift'
  return reason === 'quota' ? 'quota' : 'check_failed'
}

/** What the automatic check asks of a message's category and of the version of its template that submit froze. */
export type CheckedSources = {
  category: Pick<Category, 'approvalRule' | 'autoMaxRecipients'>
  template: AutomaticCheck['template']
}

async function findChecked(trx: Trx, message: MessageRow): Promise<CheckedSources> {
  const { template_id: id, template_version: version } = message
  return {
    category: await categoryOf(trx, message),
    template: (id !== null && version !== null && (await findTemplateVersion(trx, id, version))) || null,
  }
}

async function reasonAgainst(
  trx: Trx,
  message: MessageRow,
  { category, template }: CheckedSources,
): Promise<ReviewReason | null> {
  return automaticCheck({
    approvalRule: category.approvalRule,
    autoMaxRecipients: category.autoMaxRecipients,
    template,
    categoryId: message.category_id,
    beyondSubjects: message.origin === 'event' && message.audience.kind !== 'individual',
    snapshot: message.snapshot!,
    small: (await smallnessIn(trx, message, message.snapshot!.recipients)) !== null,
  })
}

/** Approves, and rolls back to a savepoint if the ledger is short. */
async function approveWithin(
  services: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  locked: LockedMessage,
): Promise<'quota' | null> {
  const before = locked.message
  await sql`savepoint automatic_check`.execute(trx)
  const waves = await approve(services, trx, locked, { actor, held: null })
  if (!(await reserveFor(trx, locked.message, waves))) return null
  await sql`rollback to savepoint automatic_check`.execute(trx)
  locked.message = before
  return 'quota'
}

/** A wave that an approval has opened. */
type OpenedWave = NewWave & { waveId: string }

/** Approves a message and opens its waves. `held`: until when the send is held (ms). */
async function approve(
  zone: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  locked: LockedMessage,
  { actor, held }: { actor: string; held: number | null },
): Promise<OpenedWave[]> {
  const waves = wavesOf(zone, locked.message, Math.max(locked.now, held ?? locked.now))
  const columns = { ...noReview, hold_until: held === null ? null : new Date(held) }
  const ids = await applyApproval(trx, locked, { actor }, columns, waves)
  return waves.map((wave) => ({ ...wave, waveId: ids[wave.number]! }))
}

/** A channel whose ledger cannot cover a message, and by how many pushes. */
type Shortage = { channel: Channel; short: number }

/**
 * Reserves for each wave that waits the cost in the stored snapshot. It must come last in its transaction: the ledger is
 * the last lock. On a shortage, part of the cost may already be reserved; the caller rolls back.
 */
async function reserveFor(
  trx: Trx,
  { snapshot, unit_id: unitId }: MessageRow,
  waves: readonly OpenedWave[],
): Promise<Shortage | null> {
  if (!snapshot) return null
  const costs = channelEntries(snapshot.quota).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [channel, { estimatedPushes }] of costs) {
    for (const { waveId, number, month } of waves.filter(({ state }) => state === 'waiting')) {
      const pushes = number === 0 ? estimatedPushes : reminderPushes(snapshot, channel)
      const result = await reserve(trx, { waveId, unitId, channel, month, pushes })
      if (!result.ok) return { channel, short: result.short }
    }
  }
  return null
}

/** The waves of a message that sends from this moment (ms) on; its reminder is `missed` if its time has passed by then. */
function wavesOf(
  { quotaTimeZone }: Pick<Services, 'quotaTimeZone'>,
  message: MessageRow,
  from: number,
): NewWave[] {
  const month = monthOfSend({ quotaTimeZone }, message, from)
  const first: NewWave = { number: 0, month, state: 'waiting' }
  if (!message.remind_at) return [first]
  const state = message.remind_at.getTime() > from ? 'waiting' : 'missed'
  return [first, { number: 1, month: monthOf(message.remind_at, quotaTimeZone), state }]
}
