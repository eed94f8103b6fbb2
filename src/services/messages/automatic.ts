import { sql } from 'kysely'
import type { ApprovalOutcome } from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { findTemplateVersion } from '../../db/queries/catalogue/template.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { setReviewReason } from '../../db/queries/message/message.ts'
import { insertNotices } from '../../db/queries/message/notice.ts'
import type { MessageRow } from '../../db/tables.ts'
import { automaticCheck, type ReviewReason } from '../../domain/automatic-check.ts'
import type { Services } from '../context.ts'
import { applyMove, type LockedMessage } from '../move.ts'
import { categoryOf } from './ready.ts'
import { reserveForApproval } from './reserve.ts'

/** Who approves where no person does. */
const actor = 'system:auto'

/**
 * The automatic check of a submitted message, under the caller's lock: approves it, or leaves it in the review queue
 * and writes down why. The ledger decides about the quota, for the snapshot may be old.
 */
export async function checkAutomatically(
  services: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  locked: LockedMessage,
): Promise<ApprovalOutcome> {
  const reason = (await reasonAgainst(trx, locked.message)) ?? (await approveWithin(services, trx, locked))
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

/** What the approvers are told; why exactly stands in the message. */
function noticeReason({ review_drift }: MessageRow, reason: ReviewReason) {
  if (review_drift) return 'drift'
  return reason === 'quota' ? 'quota' : 'check_failed'
}

async function reasonAgainst(trx: Trx, message: MessageRow): Promise<ReviewReason | null> {
  const category = await categoryOf(trx, message)
  const template =
    message.template_id !== null && message.template_version !== null
      ? await findTemplateVersion(trx, message.template_id, message.template_version)
      : undefined
  return automaticCheck({
    approvalRule: category.approvalRule,
    autoMaxRecipients: category.autoMaxRecipients,
    template: template ?? null,
    categoryId: message.category_id,
    snapshot: message.snapshot!,
  })
}

/** The approval itself, undone as a whole where the ledger turns out short. */
async function approveWithin(
  services: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  locked: LockedMessage,
): Promise<'quota' | null> {
  const before = locked.message
  await sql`savepoint automatic_check`.execute(trx)
  await applyMove(trx, locked, 'approve', { actor }, { review_reason: null, review_drift: false })
  const shortage = await reserveForApproval(services, trx, locked.message, locked.now)
  if (!shortage) return null
  await sql`rollback to savepoint automatic_check`.execute(trx)
  locked.message = before
  return 'quota'
}
