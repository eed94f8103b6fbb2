import type { MessageListItem } from '../../contract/messages/list.ts'
import type { MessageItemRow } from '../../db/queries/message/read.ts'
import { allowedFor } from '../../domain/allowed.ts'
import { maySeePersonal } from '../../domain/permission.ts'
import type { Principal } from '../../domain/principal.ts'
import { type Stats, statsOf } from '../../domain/stats.ts'
import { actor } from '../actor.ts'
import { instant } from '../moments.ts'

/**
 * A row of a list as the caller may see it. `exceedsNow`: what the ledger says today, where it was asked; otherwise the
 * stored snapshot decides whether an approval would be refused.
 */
export function itemOf(row: MessageItemRow, principal: Principal, exceedsNow?: boolean): MessageListItem {
  const wouldExceed = Object.values(row.snapshot?.quota ?? {}).some((forecast) => forecast.wouldExceed)
  return {
    id: row.id,
    version: row.version,
    title: maySeeText(row, principal) ? row.title : row.category_name,
    state: row.state,
    kind: row.kind,
    origin: row.origin,
    unitId: row.unit_id,
    category: { id: row.category_id, name: row.category_name },
    author: actor(row.created_by, row.author_name),
    createdAt: row.created_at.toISOString(),
    submittedAt: instant(row.submitted_at),
    scheduleAt: instant(row.schedule_at),
    expiresAt: instant(row.expires_at),
    remindAt: instant(row.remind_at),
    recipients: row.snapshot && {
      total: row.snapshot.recipients.total,
      byChannel: row.snapshot.recipients.byChannel,
    },
    ...(row.expected !== null && { stats: statsOfRow(row) }),
    wouldExceed,
    review: reviewOf(row),
    ...(row.problem && { problem: row.problem }),
    allowed: allowedFor(
      {
        principal,
        unitId: row.unit_id,
        position: {
          state: row.state,
          pausedFrom: row.paused_from,
          expiresAt: row.expires_at?.getTime() ?? null,
          reminder: row.reminder_state,
          claimed: row.claimed ?? false,
          parked: row.parked !== null,
        },
        author: Boolean(row.is_author),
        wouldExceed: exceedsNow ?? wouldExceed,
      },
      row.now.getTime(),
    ),
  }
}

/** The text of a personal message, of which its title is made, is for its authors and the unit's approvers alone. */
export function maySeeText(
  { kind, unit_id, is_author }: Pick<MessageItemRow, 'kind' | 'unit_id' | 'is_author'>,
  principal: Principal,
): boolean {
  return kind !== 'personal' || maySeePersonal(principal, unit_id, Boolean(is_author))
}

type CountersRow = Pick<MessageItemRow, 'expected' | 'sent' | 'failed' | 'unknown' | 'skipped' | 'by_channel'>

/** Zeros where nothing has been prepared yet. */
export function statsOfRow(row: CountersRow): Stats {
  const { expected, sent, failed, unknown, skipped, by_channel } = row
  return statsOf(
    { expected, sent: sent ?? 0, failed: failed ?? 0, unknown: unknown ?? 0, skipped: skipped ?? {} },
    by_channel ?? {},
  )
}

function reviewOf(row: MessageItemRow): MessageListItem['review'] {
  return { ...(row.review_reason && { reason: row.review_reason }), ...(row.review_drift && { drift: true }) }
}
