import { ServiceError } from '../../contract/errors.ts'
import type { MovedMessage } from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { findTopicStatus } from '../../db/queries/catalogue/topic.ts'
import { freezeContent } from '../../db/queries/message/content.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import { insertNotices } from '../../db/queries/message/notice.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { whenMayCount } from '../count-gate.ts'
import { orNotFound, unitsOf } from '../unit-access.ts'
import { auditIndividual } from './create.ts'
import { applyMove, checkMove, type LockedMessage } from './move.ts'
import { prepareDraft } from './prepare.ts'
import { assertMayReach } from './rights.ts'
import { transition } from './transitions.ts'

/**
 * Submits a draft for approval: takes a snapshot as a dry-run does, freezes the content and stores the snapshot.
 * @throws ServiceError not_found, forbidden, category_not_allowed, invalid_transition, topic_inactive,
 *   missing_variable, not_configured, content_violation with details {violations}, unavailable if the unit has too
 *   many counts running
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
      return { state: await submit(services, trx, locked, actor) }
    }),
  )
}

/** Submits under the caller's lock, for callers with more to do in the same transaction. */
export async function submit(services: Services, trx: Trx, locked: LockedMessage, actor: string) {
  const { message } = locked
  await checkMove(trx, locked, 'submit')
  if (message.topic_id !== null && (await findTopicStatus(trx, message.topic_id)) !== 'active')
    throw new ServiceError(
      'topic_inactive',
      'The topic is inactive. Activate it, or edit the draft to use another one or none.',
    )

  const prepared = await prepareDraft(services, trx, message, locked.now)
  const { violations } = prepared.snapshot
  if (violations.length > 0)
    throw new ServiceError(
      'content_violation',
      `A channel cannot carry the content; details list ${violations.length} violation(s). Edit the draft.`,
      { violations },
    )
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
      snapshot: JSON.stringify(prepared.snapshot),
      snapshot_at: at,
      submitted_at: at,
    },
  )
  // A producer's message in an automatic category is checked next; approvers are notified only if that fails.
  if (prepared.category.approvalRule === 'manual' || actor.startsWith('person:'))
    await insertNotices(trx, locked.message, 'submitted')
  return state
}
