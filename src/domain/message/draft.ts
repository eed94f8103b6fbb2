import { keysOf } from '../../contract/enums.ts'
import type {
  ContentField,
  CreateMessage,
  MessageField,
  MessageSetting,
} from '../../contract/messages/create.ts'
import type { Audience } from '../audience/audience.ts'
import { audienceRefusal, categoryRefusal } from '../audience/audience-rights.ts'
import { mutedCategories } from '../content/actions.ts'
import { titleOf } from '../content/title.ts'
import { roleRefusal } from '../rights/permission.ts'
import type { Principal } from '../rights/principal.ts'
import type { Refusal } from '../rights/refusal.ts'

/** Why the credential may not create a message of this category to this audience; null if it may. */
export function createRefusal(
  principal: Principal,
  unitId: string,
  { categoryId, audience }: { categoryId: string; audience: Audience },
): Refusal | null {
  return (
    roleRefusal(principal, 'create', unitId) ??
    categoryRefusal(principal, categoryId) ??
    audienceRefusal(principal, audience)
  )
}

/** What a draft has of a body beside its settings. */
type OwnField = 'planOverride' | 'templateId' | 'request'

/** The columns of a draft that its body decides by itself. */
export function draftOf(body: CreateMessage) {
  const { messages, subject, templateId, variables, calendar } = body
  return {
    kind: body.kind ?? (body.audience.kind === 'individual' ? ('personal' as const) : ('broadcast' as const)),
    categoryId: body.categoryId,
    topicId: null,
    templateId: null,
    reference: body.reference ?? null,
    audience: body.audience,
    planOverride: body.channelPlanOverride ?? null,
    scheduleAt: body.scheduleAt ?? null,
    expiresAt: body.expiresAt ?? null,
    remindAt: body.remindAt ?? null,
    remindTo: body.remindTo ?? ('all' as const),
    pace: body.pace ?? null,
    request: { messages, subject, templateId, variables, calendar } satisfies Record<ContentField, unknown>,
  } satisfies Record<Exclude<MessageSetting, 'channelPlanOverride'> | OwnField, unknown>
}

/**
 * The draft of a body in which nothing has to be compared: only its category is looked up, by the statement that inserts.
 * Null for other bodies. `title`: null if it is the category's name.
 */
export function plainDraft(body: CreateMessage) {
  if (keysOf(compared).some((field) => compared[field] && body[field] !== undefined)) return null
  if (body.audience.kind === 'individual' || mutedCategories(body.messages ?? []).length > 0) return null
  return { ...draftOf(body), title: titleOf(body.messages ?? [], body.subject ?? null, null) }
}

/** The fields that, where they are given, are compared with what they refer to, or with the clock. */
const compared: Record<MessageField, boolean> = {
  categoryId: false,
  audience: false, // but for individuals
  messages: false, // but for buttons that mute a category
  subject: false,
  templateId: true,
  variables: true,
  calendar: false,
  reference: false,
  scheduleAt: true,
  expiresAt: true,
  topicId: true,
  remindAt: true,
  remindTo: true,
  pace: false,
  channelPlanOverride: true,
  kind: false,
}
