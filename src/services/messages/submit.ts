import { ServiceError } from '../../contract/errors.ts'
import type { MovedMessage } from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { findTopicStatus } from '../../db/queries/catalogue/topic.ts'
import { freezeContent } from '../../db/queries/message/content.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import { insertNotices } from '../../db/queries/message/notice.ts'
import type { Principal } from '../../domain/principal.ts'
import { assertActive } from '../catalogue/topics.ts'
import type { Services } from '../context.ts'
import { whenMayCount } from '../count-gate.ts'
import { orNotFound, unitsOf } from '../unit-access.ts'
import { gatherAudienceFacts } from './audience-facts.ts'
import { auditIndividual } from './create.ts'
import { snapshotOf } from './forecast.ts'
import { applyMove, checkMove, type LockedMessage } from './move.ts'
import { renderDraft } from './prepare.ts'
import { assertMayReach } from './rights.ts'
import { treatAsTargeting } from './small-audience.ts'
import { transition } from './transitions.ts'

/**
 * Submits a draft for approval: freezes the content, and stores the snapshot that an approval binds: the numbers of a
 * dry-run, and who the people are.
 * @throws ServiceError not_found, forbidden, category_not_allowed, individual_targeting_disabled, invalid_transition,
 *   topic_inactive, missing_variable, not_configured, content_violation with details {violations}, unavailable if the
 *   unit has too many counts running
 */
export async function submitMessage(
  services: Services,
  principal: Principal,
  id: string,
): Promise<MovedMessage> {
  const found = orNotFound(await findMessage(services.db, id, unitsOf(principal)), 'message')
  return whenMayCount(found.message.unit_id, () =>
    transition(services, principal, id, 'submit', async (trx, locked, actor) => {
      assertMayReach(principal, locked.message.category_id, locked.message.audience)
      return { state: await submit(services, trx, locked, { principal, actor }) }
    }),
  )
}

/**
 * Submits under the caller's lock, for callers with more to do in the same transaction. `principal` is null for events.
 */
export async function submit(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  by: { principal: Principal | null; actor: string },
) {
  const { message } = locked
  const { actor } = by
  await checkMove(trx, locked, 'submit')
  if (message.topic_id !== null) assertActive(await findTopicStatus(trx, message.topic_id))

  const prepared = await renderDraft(services, trx, message, message.channel_plan.channels)
  const { violations } = prepared
  if (violations.length > 0)
    throw new ServiceError(
      'content_violation',
      `A channel cannot carry the content; details list ${violations.length} violation(s). Edit the draft.`,
      { violations },
    )
  const recipients = await gatherAudienceFacts(trx, message, prepared.category)
  const snapshot = await snapshotOf(services, trx, message, recipients, prepared, locked.now)
  const targeting = await treatAsTargeting(trx, message, recipients, by)
  await freezeContent(trx, message.id, { frozen: prepared.messages, compiled: prepared.compiled }, actor)
  await auditIndividual(trx, message.id, { unitId: message.unit_id, audience: message.audience }, actor)
  const at = new Date(locked.now)
  const state = await applyMove(
    trx,
    locked,
    'submit',
    { actor },
    {
      title: JSON.stringify(prepared.title),
      template_version: prepared.templateVersion,
      snapshot: JSON.stringify(snapshot),
      snapshot_at: at,
      submitted_at: at,
      ...targeting,
    },
  )
  // A producer's message in an automatic category is checked next; approvers are notified only if that fails.
  if (prepared.category.approvalRule === 'manual' || actor.startsWith('person:'))
    await insertNotices(trx, locked.message, targeting.review_reason ? 'small' : 'submitted')
  return state
}
