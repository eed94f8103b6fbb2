import type { MessageState } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { MovedMessage, SubmitMessage } from '../../contract/messages/moves.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { findOrganisers } from '../../db/queries/answer/organiser.ts'
import { findTopicStatus } from '../../db/queries/catalogue/topic.ts'
import { freezeContent } from '../../db/queries/message/content.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import { insertNotices } from '../../db/queries/message/notice.ts'
import { recordInvitations } from '../../db/queries/pattern/report.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import { namedPeople } from '../../domain/audience/small-audience.ts'
import { hasNoRecipients } from '../../domain/message/no-recipients.ts'
import { checkSchedule } from '../../domain/message/past-schedule.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Verdict } from '../../domain/rights/refusal.ts'
import { writeNamed } from '../answers/organisers.ts'
import { assertActive } from '../catalogue/topics.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { verdictOn } from '../refuse.ts'
import { orNotFound, unitsOf } from '../unit-access.ts'
import { nowhere, type WrittenIn } from '../written-in.ts'
import type { CheckedSources } from './approve.ts'
import { gatherAudienceFacts } from './audience-facts.ts'
import { snapshotOf } from './forecast.ts'
import { applyMove, type LockedMessage } from './move.ts'
import { type DraftRow, type RenderedDraft, type RenderedSources, renderDraft } from './prepare.ts'
import { assertMayReach } from './rights.ts'
import { applyTargetingRules, assertMayLearnCount, assertMayTarget } from './small-audience.ts'
import { individualEntries } from './targeting-audit.ts'
import { transition } from './transitions.ts'

/**
 * Submits a draft for approval: freezes the content, and stores the snapshot that an approval binds: the numbers of a
 * dry-run, and who the people are. `organisers`: who is to read the answers. `writtenIn`: what it was written in, which ends with it.
 * @throws ServiceError not_found, forbidden, category_not_allowed, individual_targeting_disabled, invalid_transition,
 *   topic_inactive, missing_variable, not_configured, content_violation with details {violations}, unavailable if the
 *   unit has too many counts running
 */
export async function submitMessage(
  services: Services,
  principal: Principal,
  id: string,
  { organisers }: SubmitMessage = {},
  writtenIn: WrittenIn = nowhere,
): Promise<MovedMessage> {
  const record = orNotFound(await findMessage(services.db, id, unitsOf(principal)), 'message')
  return withCountLimit(record.message.unit_id, () =>
    transition(services, principal, id, 'submit', async (trx, locked, actor) => {
      assertMayReach(principal, locked.message.category_id, locked.message.audience)
      await writtenIn.lock(trx)
      const { state } = await submit(services, trx, locked, { principal, actor })
      const answered = { kind: 'message' as const, id: locked.message.id, unitId: locked.message.unit_id }
      // A draft that was withdrawn may have some, who stay unless others are named.
      if (organisers && (organisers.length > 0 || (await findOrganisers(trx, answered)).length > 0))
        await writeNamed(trx, principal, answered, organisers)
      await writtenIn.end(trx, id)
      return { state }
    }),
  )
}

/** The verdict on submitting a draft whose state allows it, from the checks of `submitMessage`. */
export function mayBeSubmitted(services: Services, principal: Principal, draft: DraftRow): Promise<Verdict> {
  return verdictOn(async () => {
    assertMayReach(principal, draft.category_id, draft.audience)
    await renderSubmittable(services, services.db, draft)
    await assertMayTarget(services.db, principal, draft)
  })
}

/**
 * Renders a draft that is to be submitted.
 * @throws ServiceError topic_inactive, content_violation with details {violations}, and as `renderDraft` does
 */
async function renderSubmittable(
  services: Services,
  db: Db,
  draft: DraftRow,
  sources?: RenderedSources,
): Promise<RenderedDraft> {
  const { topic_id: topicId, channel_plan: plan } = draft
  if (topicId !== null) assertActive(await findTopicStatus(db, topicId))
  const prepared = await renderDraft(services, db, draft, plan.channels, sources)
  const { violations } = prepared
  if (violations.length > 0)
    throw new ServiceError(
      'content_violation',
      `A channel cannot carry the content; details list ${violations.length} violation(s). Edit the draft.`,
      { violations },
    )
  return prepared
}

/**
 * The warning of a draft whose time has passed.
 * @throws ServiceError content_violation if that was more than a day ago
 */
function scheduleWarnings({ schedule_at: at }: Pick<MessageRow, 'schedule_at'>, now: number): Violation[] {
  const { violations, warnings } = checkSchedule(at?.getTime() ?? null, now)
  if (violations.length === 0) return warnings
  throw new ServiceError(
    'content_violation',
    'scheduleAt was more than a day ago. Set a later one, or null to send once it is approved.',
    { violations },
  )
}

/** `unknownUids`: how many of its uids belong to nobody. */
function noRecipients(violations: Violation[], unknownUids: number): ServiceError {
  const why = unknownUids > 0 ? ` (${unknownUids} of its uids belong to no subject)` : ''
  return new ServiceError(
    'content_violation',
    `This message has no recipients${why}. Change its audience, or schedule it for more than a day from now if ` +
      'people are still to be added. The dry-run counts who is excluded, and why.',
    { violations, unknownUids },
  )
}

/**
 * Submits under the caller's lock, for callers with more to do in the same transaction. `principal` is null for events.
 * `sources`: what the caller has made the draft of. Returns the new state, and what an automatic check asks of the
 * category and the template.
 */
export async function submit(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  by: { principal: Principal | null; actor: string },
  sources?: RenderedSources,
): Promise<{ state: MessageState } & CheckedSources> {
  const { message } = locked
  const { actor } = by
  const prepared = await renderSubmittable(services, trx, message, sources)
  const recipients = await gatherAudienceFacts(trx, message, prepared.category)
  if (by.principal) await assertMayLearnCount(trx, by.principal, message, namedPeople(recipients))
  const content = { ...prepared, warnings: [...prepared.warnings, ...scheduleWarnings(message, locked.now)] }
  const snapshot = await snapshotOf(services, trx, message, recipients, content, locked.now)
  if (hasNoRecipients(snapshot.violations))
    throw noRecipients(snapshot.violations, snapshot.recipients.unknownUids)
  const targeting = await applyTargetingRules(trx, message, recipients, by)
  const { messages: frozen, compiled, compiledReminder } = prepared
  const tracked = prepared.category.links === 'tracked'
  const { id, unit_id: unitId, audience } = message
  const at = new Date(locked.now)
  const state = await applyMove(
    trx,
    locked,
    'submit',
    {
      actor,
      extraAudits: individualEntries(id, { unitId, audience }, actor),
      extraCte: freezeContent(id, { frozen, compiled, compiledReminder, tracked }, actor),
    },
    {
      title: JSON.stringify(prepared.title),
      template_version: prepared.template?.version ?? null,
      snapshot: JSON.stringify(snapshot),
      snapshot_at: at,
      submitted_at: at,
      submitted_by: actor,
      ...targeting,
    },
  )
  await recordInvitations(trx, { id, unitId }, frozen)
  // A producer's message in an automatic category is checked next; approvers are notified only if that fails.
  if (prepared.category.approvalRule === 'manual' || actor.startsWith('person:'))
    await insertNotices(trx, locked.message, targeting.review_reason ? 'small' : 'submitted')
  return { state, category: prepared.category, template: prepared.template }
}
