import { ServiceError } from '../../contract/errors.ts'
import type { MessageDetail } from '../../contract/messages/detail.ts'
import { countReminderResponse } from '../../db/queries/message/answer.ts'
import { findMessageDetail, type MessageDetailRow } from '../../db/queries/message/read.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import { actor } from '../actor.ts'
import type { Services } from '../context.ts'
import { instant, utc } from '../moments.ts'
import { unitsOf } from '../unit-of.ts'
import { itemOf, maySeeText, statsOfRow } from './item.ts'
import { forecastOf } from './snapshot.ts'

/**
 * One message with everything the caller may know of it. The text of a personal one is shown only to its authors and the
 * unit's approvers.
 * @throws ServiceError not_found
 */
export async function getMessage(
  services: Services,
  principal: Principal,
  id: string,
): Promise<MessageDetail> {
  const row = await findMessageDetail(services.db, actorOf(principal), id, unitsOf(principal))
  if (!row) throw new ServiceError('not_found', 'There is no such message. Check the id.')
  const { template } = row
  return {
    ...itemOf(row, principal, await exceedsNow(services, row)),
    stats: statsOfRow(row),
    categoryId: row.category_id,
    topicId: row.topic_id,
    audience: row.audience,
    channelPlan: row.channel_plan,
    channelPlanOverride: row.plan_override,
    template: template && { id: template.id, name: template.name, version: template.version },
    content: contentOf(row, principal),
    snapshot: row.snapshot && { ...row.snapshot, at: instant(row.snapshot_at)! },
    approvals: row.trail.flatMap(approvalOf),
    timeline: row.trail.map(({ at, action, actor: who, actor_name, reason }) => ({
      at: utc(at),
      what: action,
      by: actor(who, actor_name),
      ...(reason && { reason }),
    })),
    reminder: await reminderOf(services, row),
    parked: parkedOf(row),
    retrying: row.retrying.map(({ since, nextTryAt, ...late }) => ({
      ...late,
      since: utc(since),
      nextTryAt: utc(nextTryAt),
    })),
    closedAt: instant(row.closed_at),
  }
}

/** Whether the ledger of today falls short of what the snapshot counted; asked only where somebody is about to decide. */
async function exceedsNow(services: Services, row: MessageDetailRow): Promise<boolean | undefined> {
  if (row.state !== 'submitted' || !row.snapshot) return undefined
  for (const [name, { estimatedPushes: pushes }] of Object.entries(row.snapshot.quota)) {
    const cost = { channel: name as Channel, pushes }
    if ((await forecastOf(services, services.db, row, cost, row.now.getTime())).wouldExceed) return true
  }
  return false
}

type TrailRow = MessageDetailRow['trail'][number]

/** Rendered after submit; before it the producer's messages, or the template's with its variables beside it. */
function contentOf(row: MessageDetailRow, principal: Principal): MessageDetail['content'] {
  if (row.purged_at || !maySeeText(row, principal)) return null
  const messages = row.frozen ?? row.request.messages ?? row.template?.messages ?? []
  return { messages, variables: row.request.variables ?? null }
}

const outcomes: Record<string, MessageDetail['approvals'][number]['outcome']> = {
  approve: 'approved',
  reject: 'rejected',
  auto_check: 'not_approved',
}

function approvalOf({ at, action, actor: who, actor_name, reason }: TrailRow): MessageDetail['approvals'] {
  const outcome = outcomes[action]
  if (!outcome) return []
  return [{ by: actor(who, actor_name), at: utc(at), outcome, ...(reason && { reason }) }]
}

/** What people did with it is counted only where it is asked for: few messages have a reminder. */
async function reminderOf({ db }: Services, row: MessageDetailRow): Promise<MessageDetail['reminder']> {
  if (!row.remind_at) return null
  const wave = row.reminder
  return {
    at: row.remind_at.toISOString(),
    state: wave?.state ?? null,
    ...(wave && wave.expected !== null && { stats: statsOfRow(wave) }),
    reached: arrived(row),
    ...(await countReminderResponse(db, row.id)),
    sentAfterReminder: wave ? arrived(wave) : 0,
  }
}

function arrived({ sent, unknown }: { sent: number | null; unknown: number | null }): number {
  return (sent ?? 0) + (unknown ?? 0)
}

function parkedOf({ parked, parked_at, next_try_at }: MessageDetailRow): MessageDetail['parked'] {
  if (!parked || !parked_at || !next_try_at) return null
  return { problem: parked, since: parked_at.toISOString(), nextProbeAt: next_try_at.toISOString() }
}
