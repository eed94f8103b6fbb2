import { z } from 'zod'
import { DateTime, Id, isChange, mustChange, Reference, UnitId } from '../common.ts'
import { limits } from '../limits.ts'
import { refuseLongText, textLimit } from '../text-length.ts'
import { Audience } from './audience.ts'
import { ChannelPlanOverride } from './channel-plan.ts'
import { CanonicalMessage } from './content.ts'
import { MessageKind, MessageState } from './enum-schemas.ts'

const content = {
  templateId: Reference.optional().meta({ description: 'Alternative to messages.' }),
  variables: z.record(z.string(), z.unknown()).optional().meta({ description: 'The template variables.' }),
  messages: z
    .array(CanonicalMessage)
    .min(1)
    .max(limits.messagesPerIntent)
    .optional()
    .meta({ description: textLimit }),
}

const settings = {
  scheduleAt: DateTime.optional().meta({ description: 'When to send. Omitted or in the past: at approval.' }),
  expiresAt: DateTime.optional().meta({ description: 'Nothing is sent from this time on.' }),
  topicId: Reference.optional().meta({
    description: 'Subjects who have unsubscribed from the topic are skipped. Not with a mandatory category.',
  }),
  remindAt: DateTime.optional().meta({
    description: 'When to send the reminder: after the send time and before expiresAt.',
  }),
  channelPlanOverride: ChannelPlanOverride.optional(),
}

/** A new message intent. Requires exactly one of templateId (with variables) or messages. */
export const CreateMessage = z
  .strictObject({
    unitId: UnitId,
    categoryId: Reference,
    ...content,
    audience: Audience,
    ...settings,
    kind: MessageKind.optional().meta({
      description:
        'The text of a personal message is shown only to its authors and to approvers. personal requires an ' +
        'individual audience and is its default; every other audience is broadcast, unless it is so small that submit ' +
        'makes the message personal.',
    }),
  })
  .superRefine((body, context) => {
    refuseLongText({ messages: body.messages }, context)
    if ((body.templateId === undefined) === (body.messages === undefined))
      context.addIssue({
        code: 'custom',
        path: [],
        message: 'must have exactly one of templateId or messages',
      })
    if (body.variables !== undefined && body.templateId === undefined)
      context.addIssue({ code: 'custom', path: ['variables'], message: 'requires templateId' })
    if (body.kind === 'personal' && body.audience.kind !== 'individual')
      context.addIssue({
        code: 'custom',
        path: ['kind'],
        message: 'personal requires an individual audience',
      })
  })
  .meta({ id: 'CreateMessage' })
export type CreateMessage = z.infer<typeof CreateMessage>

/** `created` is false if the Idempotency-Key was already used; `state` is then the current state. */
export const CreatedMessage = z
  .object({ id: Id, state: MessageState, created: z.boolean() })
  .meta({ id: 'CreatedMessage' })
export type CreatedMessage = z.infer<typeof CreatedMessage>

/**
 * Changes to a draft: given fields are replaced, null removes an optional field. The result must satisfy the rules of a
 * new message. `messages` removes the template, and `templateId` removes the messages.
 */
export const EditMessage = z
  .strictObject({
    categoryId: Reference.optional(),
    ...content,
    audience: Audience.optional(),
    scheduleAt: settings.scheduleAt.nullable(),
    expiresAt: settings.expiresAt.nullable(),
    topicId: settings.topicId.nullable(),
    remindAt: settings.remindAt.nullable(),
    channelPlanOverride: settings.channelPlanOverride.nullable(),
    kind: MessageKind.optional(),
  })
  .refine(isChange, mustChange)
  .refine((body) => body.templateId === undefined || body.messages === undefined, {
    message: 'must not have both templateId and messages',
  })
  .superRefine(({ messages }, context) => refuseLongText({ messages }, context))
  .meta({ id: 'EditMessage' })
export type EditMessage = z.infer<typeof EditMessage>
