import { z } from 'zod'
import { brokenAt, orBroken } from '../broken-rule.ts'
import { DateTime, Id, isChange, mustChange, Reference, UnitId } from '../common.ts'
import { keysOf } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { refuseLongText, textLimit } from '../text-length.ts'
import { Audience } from './audience.ts'
import { CalendarEntry } from './calendar.ts'
import { ChannelPlanOverride } from './channel-plan.ts'
import { CanonicalMessage } from './content.ts'
import { MessageKind, MessageState, RemindTo } from './enum-schemas.ts'

const content = {
  templateId: Reference.optional().describe(
    'The id of a template of the unit. Exactly one of templateId and messages is given.',
  ),
  variables: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Values of the template's variables, by name. Only with templateId. Without one that the template requires, creating " +
        'the message fails with 400 missing_variable.',
    ),
  messages: z
    .array(CanonicalMessage)
    .min(1)
    .max(limits.messagesPerIntent)
    .optional()
    .describe(
      `The content, block by block, 1 to ${limits.messagesPerIntent.toLocaleString('en')}. Exactly one of messages and ` +
        `templateId is given. ${textLimit}`,
    ),
  subject: LocalisedText.optional().describe(
    'The subject of its mail, beside messages; also the title of the message. Omitted: the first title or text of the ' +
      'content. A template has its own.',
  ),
  calendar: CalendarEntry.optional().describe(
    'An entry that recipients can add to their calendars. It is one more message among those of a call. Omitted: none.',
  ),
}
/** The fields of a body that are its content. */
export const contentFields = keysOf(content)
export type ContentField = keyof typeof content

/** The reference by which a producer finds a message again. */
export const OwnReference = z.string().trim().min(1).max(limits.referenceLength)

const aboutCategory =
  'The id of an enabled category, from GET /v1/categories. It decides consent, channels, quiet hours and approval.'

const PacePerMinute = z
  .strictObject({
    perMinute: z
      .int()
      .min(1)
      .max(limits.paceMax)
      .describe(
        `So many deliveries a minute, over all channels: 1 to ${limits.paceMax.toLocaleString('en')}.`,
      ),
  })
  .meta({ id: 'PacePerMinute', description: 'A number of deliveries a minute, in `perMinute`.' })

const PaceOverSeconds = z
  .strictObject({
    overSeconds: z
      .int()
      .min(limits.shortestReminderSeconds)
      .max(limits.paceSeconds)
      .describe(
        'All of them spread evenly over so many seconds: ' +
          `${limits.shortestReminderSeconds} to ${limits.paceSeconds.toLocaleString('en')}.`,
      ),
  })
  .meta({
    id: 'PaceOverSeconds',
    description: 'A time over which all deliveries are spread, in `overSeconds`.',
  })

/** How fast a message is sent. */
export const Pace = z.union([PacePerMinute, PaceOverSeconds]).meta({
  id: 'Pace',
  description:
    'How fast the message is sent, and its reminder: so many a minute (`perMinute`), or spread over a time ' +
    '(`overSeconds`). It rests in the quiet hours of the category, and after a pause it goes on at its pace.',
})

const settings = {
  reference: OwnReference.optional().describe(
    `Your own reference, 1 to ${limits.referenceLength} characters, such as the id of a case in your system: shown with ` +
      'the message, also to callers who may not see its text, sent to callbacks, and a filter of the list. It need not ' +
      'be unique, and must not name a person. Omitted: none.',
  ),
  scheduleAt: DateTime.optional().describe(
    'When to send: ISO 8601 with an offset. Omitted or in the past: at approval.',
  ),
  expiresAt: DateTime.optional().describe(
    'From this time on nothing is sent: ISO 8601 with an offset, in the future and after scheduleAt. Omitted: never.',
  ),
  topicId: Reference.optional().describe(
    'The id of an active topic of the unit: subjects who have unsubscribed from it are skipped. Not with a mandatory ' +
      'category. Omitted: none.',
  ),
  remindAt: DateTime.optional().describe(
    'When to send the content again, to recipients of the first send who have not declined it: ISO 8601 with an ' +
      'offset, after the send time and before expiresAt. Omitted: no reminder.',
  ),
  remindTo: RemindTo.optional().describe(
    'Whom to remind: `all` recipients of the first send, or only those who have not answered any of its questions by ' +
      'then (`unanswered`). Requires remindAt. Default: all.',
  ),
  pace: Pace.optional().describe(
    'How fast it is sent; the dry-run says when the last recipient is sent to. Omitted: as fast as the channels take it.',
  ),
  channelPlanOverride: ChannelPlanOverride.optional().describe(
    "Narrows the category's channel plan for this message. Omitted: the plan as it is.",
  ),
}

/** Of `refuseContradictions`, for the description of the schema. */
export const exactlyOneContent = {
  'x-exactly-one-of': { templateId: ['variables'], messages: ['subject'] },
}

type CheckedBody = {
  templateId?: string | undefined
  variables?: unknown
  messages?: unknown
  subject?: unknown
}

/** Adds the issues of content that contradicts itself, or is too long. */
export function refuseContradictions(
  { messages, subject, templateId, variables }: CheckedBody,
  context: z.RefinementCtx,
): void {
  refuseLongText({ messages, subject }, context)
  if ((templateId === undefined) === (messages === undefined))
    context.addIssue(brokenAt([], 'not_exactly_one', { fields: ['templateId', 'messages'] }))
  if (variables !== undefined && templateId === undefined)
    context.addIssue(brokenAt(['variables'], 'unexpected', { without: 'templateId' }))
  if (subject !== undefined && messages === undefined)
    context.addIssue(brokenAt(['subject'], 'unexpected', { reason: 'template_subject' }))
}

export const CreateMessage = z
  .strictObject({
    unitId: UnitId,
    categoryId: Reference.describe(aboutCategory),
    ...content,
    audience: Audience.describe(
      'The recipients. Counted again at each dry-run, at submit and at the time of the send; an approval ' +
        'covers the people counted at submit.',
    ),
    ...settings,
    kind: MessageKind.optional().describe(
      'The text of a personal message is shown only to its authors and to approvers. Omitted: personal for an ' +
        'individual audience, otherwise broadcast. Submit makes a message to a very small audience personal.',
    ),
  })
  .superRefine((body, context) => {
    refuseContradictions(body, context)
    if (body.remindTo !== undefined && body.remindAt === undefined)
      context.addIssue(brokenAt(['remindTo'], 'unexpected', { without: 'remindAt' }))
  })
  .meta({
    id: 'CreateMessage',
    ...exactlyOneContent,
    description: 'A new message intent: exactly one of templateId (with variables) or messages is given.',
  })
export type CreateMessage = z.infer<typeof CreateMessage>

/** The content as it was requested: `messages`, perhaps with a mail subject, or a template with variables. */
export type MessageRequest = Pick<CreateMessage, ContentField>
/** What a body says of a message: its content, and its settings. */
export type MessageField = Exclude<keyof CreateMessage, 'unitId'>
export type MessageSetting = Exclude<MessageField, ContentField>

export const CreatedMessage = z
  .object({
    id: Id.describe('The id of the message.'),
    state: MessageState.describe('`draft` for a new message; for a known Idempotency-Key the current state.'),
    created: z
      .boolean()
      .describe('Whether this request created the message; false if its Idempotency-Key was used before.'),
  })
  .meta({
    id: 'CreatedMessage',
    description: 'The message that the request, or an earlier one with its key, created.',
  })
export type CreatedMessage = z.infer<typeof CreatedMessage>

export const EditMessage = z
  .strictObject({
    categoryId: Reference.optional().describe(aboutCategory),
    templateId: content.templateId.describe(
      'The id of a template of the unit. Replaces the messages of the draft.',
    ),
    variables: content.variables.describe(
      "Values of the template's variables, by name. Replaces all of them.",
    ),
    messages: content.messages.describe(
      `The content, block by block. Replaces the template of the draft. ${textLimit}`,
    ),
    subject: content.subject
      .nullable()
      .describe(
        'The subject of its mail, beside messages. null: the first title or text of the content. A template of the ' +
          'draft has its own, and replaces this one.',
      ),
    calendar: content.calendar.nullable().describe("An entry for the recipients' calendars. null: none."),
    audience: Audience.optional().describe('The recipients. Replaces the whole audience.'),
    reference: settings.reference.nullable().describe('Your own reference. null: none.'),
    scheduleAt: settings.scheduleAt.nullable().describe('When to send. null or in the past: at approval.'),
    expiresAt: settings.expiresAt.nullable().describe('From this time on nothing is sent. null: never.'),
    topicId: settings.topicId.nullable().describe('The id of an active topic of the unit. null: none.'),
    remindAt: settings.remindAt.nullable().describe('When to send the content again. null: no reminder.'),
    remindTo: settings.remindTo.describe(
      'Whom to remind: `all` recipients, or only those who have not answered. Requires remindAt.',
    ),
    pace: settings.pace.nullable().describe('How fast it is sent. null: as fast as the channels take it.'),
    channelPlanOverride: settings.channelPlanOverride
      .nullable()
      .describe("Narrows the category's channel plan. null: the plan as it is."),
    kind: MessageKind.optional().describe('Who may read the text. Omitted: as it is.'),
  } satisfies Record<MessageField, z.ZodType>)
  .refine(isChange, mustChange)
  .refine(
    (body) => body.templateId === undefined || body.messages === undefined,
    orBroken('not_both', { fields: ['templateId', 'messages'] }),
  )
  .superRefine(({ messages, subject }, context) => refuseLongText({ messages, subject }, context))
  .meta({
    id: 'EditMessage',
    minProperties: 1,
    'x-at-most-one-of': { templateId: [], messages: [] },
    description:
      'Changes to a draft, at least one: given fields are replaced, and null removes an optional one. The result must ' +
      'satisfy the rules of a new message. At most one of templateId and messages is given.',
  })
export type EditMessage = z.infer<typeof EditMessage>
