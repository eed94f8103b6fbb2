import { describeIssue } from '../../contract/describe-issue.ts'
import { CreateMessage, type EditMessage } from '../../contract/messages/create.ts'
import type { MovedMessage } from '../../contract/messages/moves.ts'
import {
  findRequest,
  insertAuthor,
  type MessageRequest,
  updateRequest,
} from '../../db/queries/message/content.ts'
import { contentColumns } from '../../db/queries/message/message.ts'
import { findReferences } from '../../db/queries/message/references.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Principal } from '../../domain/principal.ts'
import { assertNoneFixed } from '../catalogue/categories.ts'
import type { Services } from '../context.ts'
import { pathOf, validationError } from '../validation-error.ts'
import { auditIndividual, draftOf, referencesOf } from './create.ts'
import { applyMove, assertVersion, checkMove } from './move.ts'
import { assertMayReach } from './rights.ts'
import { transition } from './transitions.ts'

/**
 * Changes a draft; the result must be as valid as a new message. The caller becomes an author. The observed version
 * moves along, since a draft has no run to wake.
 * @throws ServiceError not_found, forbidden, invalid_transition (also if the version is not `ifMatch`), and what
 *   `createMessage` throws about a body
 */
export async function editMessage(
  services: Services,
  principal: Principal,
  id: string,
  patch: EditMessage,
  { ifMatch }: { ifMatch?: number } = {},
): Promise<MovedMessage & { version: number }> {
  return transition(services, principal, id, 'edit', async (trx, locked, actor) => {
    const { unit_id: unitId, version } = locked.message
    await checkMove(trx, locked, 'edit')
    await assertVersion(trx, locked, ifMatch)

    const body = merged(locked.message, await findRequest(trx, id), patch)
    assertMayReach(principal, body.categoryId, body.audience)
    await assertNoneFixed(trx, body.messages)
    const draft = draftOf(body, await findReferences(trx, referencesOf(body, unitId, null)))
    await updateRequest(trx, id, draft.request)
    await insertAuthor(trx, id, actor)
    await auditIndividual(trx, id, { unitId, audience: draft.audience }, actor)
    const by = { actor, details: { fields: Object.keys(patch) } }
    const columns = { kind: draft.kind, ...contentColumns(draft), observed_version: version + 1 }
    return { state: await applyMove(trx, locked, 'edit', by, columns), version: version + 1 }
  })
}

/** The draft as a body, with the patch applied. */
function merged(message: MessageRow, request: MessageRequest, patch: EditMessage): CreateMessage {
  const body = {
    ...bodyOf(message),
    ...(changesIndividuals(message, patch) && { kind: undefined }),
    ...contentAfter(request, patch),
    ...withoutContent(patch),
  }
  const present = Object.entries(body).filter(([, value]) => value !== null && value !== undefined)
  const checked = CreateMessage.safeParse(Object.fromEntries(present), { error: describeIssue })
  if (checked.success) return checked.data
  throw validationError(checked.error.issues.map(({ path, message }) => ({ path: pathOf(path), message })))
}

function bodyOf(message: MessageRow) {
  return {
    categoryId: message.category_id,
    audience: message.audience,
    scheduleAt: message.schedule_at?.toISOString(),
    expiresAt: message.expires_at?.toISOString(),
    remindAt: message.remind_at?.toISOString(),
    topicId: message.topic_id,
    channelPlanOverride: message.plan_override,
    kind: message.kind,
  }
}

/** Whether the audience changes to or from individuals: the kind then returns to its default. */
function changesIndividuals({ audience }: MessageRow, patch: EditMessage): boolean {
  if (!patch.audience) return false
  return (patch.audience.kind === 'individual') !== (audience.kind === 'individual')
}

/** Messages replace a template, and a template replaces messages; variables may change alone. */
function contentAfter(request: MessageRequest, patch: EditMessage): MessageRequest {
  if (patch.messages) return { messages: patch.messages, variables: patch.variables }
  const { templateId = request.templateId, variables = request.variables } = patch
  return templateId === undefined ? { messages: request.messages, variables } : { templateId, variables }
}

function withoutContent({ messages: _, templateId: __, variables: ___, ...rest }: EditMessage) {
  return rest
}
