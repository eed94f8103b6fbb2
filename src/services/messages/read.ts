import { ServiceError } from '../../contract/errors.ts'
import type { ContentField, MessageSetting } from '../../contract/messages/create.ts'
import type { MessageDetail } from '../../contract/messages/detail.ts'
import type { MessageListItem, MessageListQuery } from '../../contract/messages/list.ts'
import type { Db } from '../../db/connect.ts'
import { countReminderResponse } from '../../db/queries/answer/answer.ts'
import { findMessageAnswerFacts } from '../../db/queries/answer/facts.ts'
import { isAuthor } from '../../db/queries/message/content.ts'
import { type FoundMessage, findMessage } from '../../db/queries/message/message.ts'
import {
  findMessageDetail,
  findMessageItems,
  listMessageItems,
  type MessageDetailRow,
  type MessageItemRow,
} from '../../db/queries/message/read.ts'
import { type Forecaster, quotaForecaster } from '../../db/queries/quota/ledger.ts'
import type { MessageRow } from '../../db/tables.ts'
import { clicksByLink } from '../../domain/content/clicks.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { type Allowed, allowedFor, type MessageFacts } from '../../domain/message/allowed-actions.ts'
import { type Stats, statsOf } from '../../domain/message/stats.ts'
import { firstWaveDue } from '../../domain/message/times.ts'
import { readingOf } from '../../domain/rights/answers.ts'
import { maySeeNames, maySeePersonal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { actorView } from '../actor.ts'
import { organisersView } from '../answers/organisers.ts'
import { auditAnswers, readerOf } from '../answers/sheet.ts'
import type { Services } from '../context.ts'
import { toInstant, toUtc } from '../instants.ts'
import { byId, type Page, pageOf } from '../page.ts'
import { findInUnits, orNotFound, unitOf, unitsOf } from '../unit-access.ts'
import { mayBeEdited } from './edit.ts'
import { exceedsQuota } from './forecast.ts'
import { mayBeSubmitted } from './submit.ts'

/**
 * One message as the caller may see it. Only its authors and the unit's approvers see the text of a personal one, and
 * fewer see whom it names.
 * @throws ServiceError not_found
 */
export async function getMessage(
  services: Services,
  principal: Principal,
  id: string,
): Promise<MessageDetail> {
  const detail = await findMessageDetail(services.db, actorOf(principal), id, unitsOf(principal))
  const row = orNotFound(detail, 'message')
  const { template } = row
  return {
    ...itemOf(row, principal, await allowedOnDetail(services, principal, row)),
    stats: statsOfRow(row),
    ...(await answersOf(services, principal, row)),
    organisers: organisersView(row.organisers),
    clicks: row.tracked ? clicksByLink(row.frozen ?? [], row.clicks, row.channel_plan.channels) : null,
    categoryId: row.category_id,
    topicId: row.topic_id,
    audience: audienceOf(row, principal),
    audienceGroups: row.audience_groups.map(({ keptBy, keeperName, ...group }) => ({
      ...group,
      keptBy: keptBy === null ? null : actorView(`key:${keptBy}`, keeperName),
    })),
    drift: driftView(row),
    channelPlan: row.channel_plan,
    channelPlanOverride: row.plan_override,
    pace: row.pace ?? undefined,
    template: template && { id: template.id, name: template.name, version: template.version },
    content: contentOf(row, principal),
    snapshot: row.snapshot && { warnings: [], ...row.snapshot, at: toInstant(row.snapshot_at)! },
    approvals: row.trail.flatMap(approvalOf),
    timeline: timelineOf(row),
    reminder: await reminderOf(services, row),
    parked: parkedOf(row),
    retrying: retryingOf(row),
    ...(row.shortfall && { shortfall: row.shortfall }),
    closedAt: toInstant(row.closed_at),
  } satisfies MessageDetail & Record<MessageSetting, unknown>
}

/**
 * Of a personal message the counts tell what the few answered whom it names: they are read as these answers are, and
 * audited.
 */
async function answersOf(
  { db }: Services,
  principal: Principal,
  row: MessageDetailRow,
): Promise<Pick<MessageDetail, 'answers' | 'answered'>> {
  const { byOption: answers, people: answered } = row.answers
  if (row.kind !== 'personal') return { answers, answered }
  const facts = await findMessageAnswerFacts(db, readerOf(principal), row.id, [row.unit_id])
  const { refusal, from } = readingOf(principal, orNotFound(facts, 'message'))
  const readsAll =
    refusal === null && (from === null || (row.submitted_at !== null && from <= row.submitted_at))
  if (!readsAll) return { answers: null, answered: null }
  if (answered > 0) await auditAnswers(db, principal, { kind: 'message', id: row.id, unitId: row.unit_id })
  return { answers, answered }
}

/** What the caller may do. For a draft, with everything that an edit and a submit would check. */
async function allowedOnDetail(
  services: Services,
  principal: Principal,
  row: MessageDetailRow,
): Promise<Allowed> {
  const allowed = await allowedOn(services, principal, quotaForecaster(services.db), row)
  if (row.state !== 'draft') return allowed
  const { edit, submit } = allowed
  return {
    ...allowed,
    edit: edit.allowed ? await mayBeEdited(services, principal, row, row.request) : edit,
    submit: submit.allowed ? await mayBeSubmitted(services, principal, row) : submit,
  }
}

/** What the caller may do with a message, without rendering it or counting people. Asks the ledger only for approvers. */
async function allowedOn(
  services: Services,
  principal: Principal,
  forecast: Forecaster,
  row: MessageItemRow,
): Promise<Allowed> {
  const now = row.now.getTime()
  const facts = factsOf(row)
  const allowed = allowedFor(principal, facts, now)
  if (principal.kind === 'producer' || !allowed.approve.allowed) return allowed
  const wouldExceed = await exceedsQuota(services, forecast, row, now)
  return wouldExceed ? allowedFor(principal, { ...facts, wouldExceed }, now) : allowed
}

function factsOf(row: MessageItemRow): MessageFacts {
  return {
    unitId: row.unit_id,
    position: {
      state: row.state,
      pausedFrom: row.paused_from,
      expiresAt: row.expires_at?.getTime() ?? null,
      reminder: row.reminder_state,
      claimed: row.claimed ?? false,
      parked: row.parked !== null || row.step_parked_at !== null,
    },
    categoryId: row.category_id,
    categoryEnabled: row.category_enabled,
    audience: row.draft_outline,
    topicInactive: row.topic_status === 'inactive',
    author: row.may_not_approve,
    wouldExceed: false,
  }
}

/** Names of individuals only for callers who may see them; their number for all. */
function audienceOf(
  { audience, unit_id, is_author }: MessageDetailRow,
  principal: Principal,
): MessageDetail['audience'] {
  if (audience.kind !== 'individual') return audience
  const { kind, uids } = audience
  const maySee = maySeeNames(principal, unit_id, Boolean(is_author))
  return { kind, count: uids.length, ...(maySee && { uids }) }
}

function driftView({ drift }: MessageDetailRow): MessageDetail['drift'] {
  if (!drift) return null
  const groups = drift.groups.map(({ groupId: id, name, change, actor, actorName, at }) => {
    return { id, name, change, by: actorView(actor, actorName), at }
  })
  return { ...drift, groups }
}

/** Every move of a message, the oldest first. */
export function timelineOf({ trail }: MessageDetailRow): MessageDetail['timeline'] {
  return trail.map(({ at, action, actor: who, actor_name, reason }) => ({
    at: toUtc(at),
    action,
    by: actorView(who, actor_name),
    ...(reason && { reason }),
  }))
}

type TrailRow = MessageDetailRow['trail'][number]

/** Rendered after submit; before it, the producer's messages, or the template's with their variables. */
function contentOf(row: MessageDetailRow, principal: Principal): MessageDetail['content'] {
  if (row.purged_at || !maySeeText(row, principal)) return null
  const messages = row.frozen ?? row.request.messages ?? row.template?.messages ?? []
  const { variables = null, subject = null, calendar } = row.request
  return { messages, variables, subject, calendar } satisfies Record<
    Exclude<ContentField, 'templateId'>,
    unknown
  >
}

const outcomes: Record<string, MessageDetail['approvals'][number]['outcome']> = {
  approve: 'approved',
  reject: 'rejected',
  auto_check: 'not_approved',
}

function approvalOf({ at, action, actor: who, actor_name, reason }: TrailRow): MessageDetail['approvals'] {
  const outcome = outcomes[action]
  if (!outcome) return []
  return [{ by: actorView(who, actor_name), at: toUtc(at), outcome, ...(reason && { reason }) }]
}

/** Counts the responses only for messages with a reminder, which are few. */
async function reminderOf({ db }: Services, row: MessageDetailRow): Promise<MessageDetail['reminder']> {
  if (!row.remind_at) return null
  const wave = row.reminder
  return {
    at: row.remind_at.toISOString(),
    state: wave?.state ?? null,
    ...(wave && wave.expected !== null && { stats: statsOfRow({ ...wave, channel_plan: row.channel_plan }) }),
    reached: arrived(row),
    ...(await countReminderResponse(db, row.id)),
    sentAfterReminder: wave ? arrived(wave) : 0,
  }
}

function arrived({ sent, unknown }: { sent: number | null; unknown: number | null }): number {
  return (sent ?? 0) + (unknown ?? 0)
}

/** Why and since when a message is parked. */
export function parkedOf(row: MessageDetailRow): MessageDetail['parked'] {
  const { step_parked_at: since, step_retry_at: retryAt, parked, parked_at, next_try_at } = row
  if (since && retryAt)
    return { problem: 'internal', since: since.toISOString(), nextProbeAt: retryAt.toISOString() }
  if (!parked || !parked_at || !next_try_at) return null
  return { problem: parked, since: parked_at.toISOString(), nextProbeAt: next_try_at.toISOString() }
}

/** The deferred batches of the active wave, by channel and reason. */
export function retryingOf({ retrying }: MessageDetailRow): MessageDetail['retrying'] {
  return retrying.map(({ since, nextTryAt, ...batch }) => ({
    ...batch,
    since: toUtc(since),
    nextTryAt: toUtc(nextTryAt),
  }))
}

/**
 * A message whose text the caller may read, by the same rule as `getMessage`.
 * @throws ServiceError not_found, forbidden
 */
export async function readableMessage(db: Db, principal: Principal, id: string): Promise<FoundMessage> {
  const record = await findInUnits(db, principal, id, 'message', findMessage)
  await assertMayReadText(db, principal, record.message)
  return record
}

/**
 * Checks that the text of a message is still there, and that the caller may read it.
 * @throws ServiceError not_found, forbidden
 */
export async function assertMayReadText(
  db: Db,
  principal: Principal,
  { id, unit_id, kind, purged_at }: MessageRow,
): Promise<void> {
  if (purged_at)
    throw new ServiceError(
      'not_found',
      'The content of this message has been purged: its retention period has passed.',
    )
  if (kind !== 'personal') return
  const author = await isAuthor(db, id, actorOf(principal))
  if (!maySeePersonal(principal, unit_id, author)) throw personalText()
}

/** The error of a caller who may not read the text of a personal message, made or being written. */
export function personalText(): ServiceError {
  return new ServiceError(
    'forbidden',
    'Only its authors and approvers may read the text of a personal message. Ask one of them.',
  )
}

/**
 * One page of a unit's messages, newest first by default.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listMessages(
  services: Services,
  principal: Principal,
  query: MessageListQuery,
  { mine = false }: { mine?: boolean } = {},
): Promise<Page<MessageListItem>> {
  const unitId = unitOf(principal, query.unitId)
  const { topicId, categoryId, reference, createdAfter, createdBefore, order, q } = query
  // A malformed topic id matches no message.
  if (topicId !== undefined && idOrNull(topicId) === null) return { items: [], nextCursor: null }
  const search = q === undefined ? undefined : searchFor(principal, unitId, q)
  const filter = {
    unitId,
    states: query.state,
    reference,
    categoryId,
    topicId,
    createdAfter,
    createdBefore,
    search,
    order,
    mine,
  }
  const { items, nextCursor } = await pageOf(
    query,
    byId,
    (page) => listMessageItems(services.db, actorOf(principal), { ...filter, ...page }),
    (row) => row,
  )
  const forecast = quotaForecaster(services.db)
  const itemFor = async (row: MessageItemRow) =>
    itemOf(row, principal, await allowedOn(services, principal, forecast, row))
  return { items: await Promise.all(items.map(itemFor)), nextCursor }
}

function searchFor(principal: Principal, unitId: string, text: string) {
  return { text, id: idOrNull(text), personal: maySeePersonal(principal, unitId, false) }
}

/** These messages of the caller's units, as in a list. */
export async function messagesOf(
  services: Services,
  principal: Principal,
  ids: string[],
): Promise<MessageListItem[]> {
  const rows = await findMessageItems(services.db, actorOf(principal), ids, unitsOf(principal))
  const forecast = quotaForecaster(services.db)
  const itemFor = async (row: MessageItemRow) =>
    itemOf(row, principal, await allowedOn(services, principal, forecast, row))
  return Promise.all(rows.map(itemFor))
}

/** An item of a list as the caller may see it. */
function itemOf(row: MessageItemRow, principal: Principal, allowed: Allowed): MessageListItem {
  const wouldExceed = Object.values(row.snapshot?.quota ?? {}).some((forecast) => forecast.wouldExceed)
  return {
    id: row.id,
    version: row.version,
    title: maySeeText(row, principal) ? row.title : row.category_name,
    state: row.state,
    reference: row.reference,
    kind: row.kind,
    origin: row.origin,
    unitId: row.unit_id,
    category: { id: row.category_id, name: row.category_name },
    author: actorView(row.created_by, row.author_name),
    createdAt: row.created_at.toISOString(),
    submittedAt: toInstant(row.submitted_at),
    scheduleAt: toInstant(row.schedule_at),
    startsAt: toInstant(startOf(row)),
    expiresAt: toInstant(row.expires_at),
    remindAt: toInstant(row.remind_at),
    remindTo: row.remind_at && row.remind_to,
    recipients: row.snapshot && {
      total: row.snapshot.recipients.total,
      byChannel: row.snapshot.recipients.byChannel,
    },
    ...(row.expected !== null && { stats: statsOfRow(row) }),
    wouldExceed,
    review: reviewOf(row),
    ...(row.problem && { problem: row.problem }),
    allowed,
  }
}

/** The earliest time of the send; null: at approval. */
function startOf({
  schedule_at,
  hold_until,
}: Pick<MessageItemRow, 'schedule_at' | 'hold_until'>): Date | null {
  const [scheduleAt, holdUntil] = [schedule_at?.getTime() ?? null, hold_until?.getTime() ?? null]
  const due = firstWaveDue({ scheduleAt, holdUntil })
  return due === null ? null : new Date(due)
}

/** Only authors and the unit's approvers may see the text of a personal message, and its title, which comes from it. */
function maySeeText(
  { kind, unit_id, is_author }: Pick<MessageItemRow, 'kind' | 'unit_id' | 'is_author'>,
  principal: Principal,
): boolean {
  return kind !== 'personal' || maySeePersonal(principal, unit_id, Boolean(is_author))
}

type CountersRow = Pick<
  MessageItemRow,
  'expected' | 'sent' | 'failed' | 'unknown' | 'skipped' | 'by_channel' | 'people' | 'channel_plan'
>

/** Zeros until the wave has started. */
export function statsOfRow(row: CountersRow): Stats {
  const { expected, sent, failed, unknown, skipped, by_channel, people, channel_plan } = row
  const counts = {
    expected,
    sent: sent ?? 0,
    failed: failed ?? 0,
    unknown: unknown ?? 0,
    skipped: skipped ?? {},
    byChannel: by_channel ?? {},
    people,
  }
  return statsOf(counts, channel_plan.mode)
}

function reviewOf(row: MessageItemRow): MessageListItem['review'] {
  return { ...(row.review_reason && { reason: row.review_reason }), ...(row.review_drift && { drift: true }) }
}
