import {
  type ContentField,
  CreateMessage,
  type EditMessage,
  type MessageRequest,
  type MessageSetting,
} from '../../contract/messages/create.ts'
import type { MovedMessage } from '../../contract/messages/moves.ts'
import { readValue } from '../../contract/read-value.ts'
import type { Db } from '../../db/connect.ts'
import { findRequest, insertAuthors, rewriteRequest, type Writer } from '../../db/queries/message/content.ts'
import { contentColumns } from '../../db/queries/message/message.ts'
import type { SettingColumn } from '../../db/tables/message.ts'
import type { MessageRow } from '../../db/tables.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Verdict } from '../../domain/rights/refusal.ts'
import type { Services } from '../context.ts'
import { verdictOn } from '../refuse.ts'
import { plainIssue, validationError } from '../validation-error.ts'
import { checkBody, type Draft } from './check-body.ts'
import { applyMove, assertVersion } from './move.ts'
import { individualEntries } from './targeting-audit.ts'
import { transition } from './transitions.ts'

/**
 * Changes a draft; the result must be as valid as a new message. The caller becomes an author, unless nothing changes, and
 * so do `authors`, who wrote what it becomes.
 * The observed version moves along, since a draft has no run to wake.
 * @throws ServiceError not_found, forbidden, invalid_transition (also if the version is not `ifMatch`), and what
 *   `createMessage` throws about a body
 */
export async function editMessage(
  services: Services,
  principal: Principal,
  id: string,
  patch: EditMessage,
  { ifMatch, authors = [] }: { ifMatch?: number; authors?: readonly Writer[] } = {},
): Promise<MovedMessage & { version: number }> {
  return transition(services, principal, id, 'edit', async (trx, locked, actor) => {
    const { unit_id: unitId, version } = locked.message
    await assertVersion(trx, locked, ifMatch)
    const request = await findRequest(trx, id)
    const draft = await editedDraft({ ...services, db: trx }, principal, locked.message, request, patch)
    const fields = changesOf({ ...bodyOf(locked.message), ...request }, patch)
    await insertAuthors(trx, id, authors)
    if (fields.length === 0) return { state: locked.message.state, version }
    const by = {
      actor,
      details: { fields },
      extraAudits: individualEntries(id, { unitId, audience: draft.audience }, actor),
      extraCte: rewriteRequest(id, draft.request, actor),
    }
    const columns = { kind: draft.kind, ...contentColumns(draft), observed_version: version + 1 }
    return { state: await applyMove(trx, locked, 'edit', by, columns), version: version + 1 }
  })
}

/** The fields that a patch changes in a draft. Null removes one; times are compared as instants. */
function changesOf(before: { [Field in keyof EditMessage]?: unknown }, patch: EditMessage): string[] {
  const names = Object.keys(patch) as (keyof EditMessage)[]
  const comparable = (value: unknown, name: string) =>
    name.endsWith('At') && typeof value === 'string' ? Date.parse(value) : (value ?? null)
  return names.filter(
    (name) => canonicalJson(comparable(before[name], name)) !== canonicalJson(comparable(patch[name], name)),
  )
}

/** The verdict on an edit that leaves category, audience and references as they are, from the checks of `editMessage`. */
export function mayBeEdited(
  services: Services,
  principal: Principal,
  draft: EditableRow,
  request: MessageRequest,
): Promise<Verdict> {
  return verdictOn(() => editedDraft(services, principal, draft, request, {}))
}

/** The columns that an edit may change, and those it needs. */
type EditableRow = Pick<MessageRow, 'unit_id' | SettingColumn>

/** The draft with the patch applied, checked as a new message of the caller's would be. */
async function editedDraft(
  services: Pick<Services, 'rendering'> & { db: Db },
  principal: Principal,
  message: EditableRow,
  request: MessageRequest,
  patch: EditMessage,
): Promise<Draft> {
  const body = merged(message, request, patch)
  const checksVariables = patch.variables !== undefined
  return (await checkBody(services, principal, message.unit_id, body, { checksVariables })).draft
}

/** The draft as a body, with the patch applied. */
function merged(message: EditableRow, request: MessageRequest, patch: EditMessage): CreateMessage {
  return checkedBody({
    ...bodyOf(message),
    ...(patch.remindAt === null && { remindTo: undefined }),
    ...(changesIndividuals(message, patch) && { kind: undefined }),
    ...patch,
    ...contentAfter(request, patch),
  })
}

/**
 * A body made of stored fields, checked as a new message's; null means that the field is not given.
 * @throws ServiceError validation_error
 */
export function checkedBody(body: { [Field in keyof CreateMessage]?: unknown }): CreateMessage {
  const present = Object.entries(body).filter(([, value]) => value !== null && value !== undefined)
  const checked = readValue(CreateMessage, Object.fromEntries(present))
  if (checked.success) return checked.data
  throw validationError(checked.error.issues.map(plainIssue))
}

/** The fields of a stored message as in a body, without its content. */
export function bodyOf(message: EditableRow) {
  return {
    categoryId: message.category_id,
    audience: message.audience,
    scheduleAt: message.schedule_at?.toISOString(),
    expiresAt: message.expires_at?.toISOString(),
    remindAt: message.remind_at?.toISOString(),
    remindTo: message.remind_at ? message.remind_to : undefined,
    pace: message.pace,
    topicId: message.topic_id,
    channelPlanOverride: message.plan_override,
    kind: message.kind,
    reference: message.reference,
  } satisfies Record<MessageSetting, unknown>
}

/** Whether the audience changes to or from individuals: the kind then returns to its default. */
function changesIndividuals({ audience }: EditableRow, patch: EditMessage): boolean {
  if (!patch.audience) return false
  return (patch.audience.kind === 'individual') !== (audience.kind === 'individual')
}

/**
 * Messages replace a template, and a template replaces messages and their subject; variables and subject may change
 * alone.
 */
function contentAfter(request: MessageRequest, patch: EditMessage): MessageRequest {
  const templateId = patch.messages ? undefined : (patch.templateId ?? request.templateId)
  const ofTemplate = templateId !== undefined
  const { subject = ofTemplate ? null : request.subject, calendar = request.calendar } = patch
  return {
    templateId,
    messages: ofTemplate ? undefined : (patch.messages ?? request.messages),
    subject: subject ?? undefined,
    variables: patch.variables ?? (patch.messages ? undefined : request.variables),
    calendar: calendar ?? undefined,
  } satisfies Record<ContentField, unknown>
}
