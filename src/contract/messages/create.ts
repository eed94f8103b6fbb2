import { z } from 'zod'
import { DateTime, Id, Reference } from '../common.ts'
import { limits } from '../limits.ts'
import { Audience } from './audience.ts'
import { ChannelPlanOverride } from './channel-plan.ts'
import { CanonicalMessage } from './content.ts'
import { MessageKind, MessageState } from './enum-schemas.ts'

const content = {
  templateId: Reference.optional().meta({ description: 'An alternative to messages.' }),
  variables: z.record(z.string(), z.unknown()).optional().meta({ description: "The template's variables." }),
  messages: z.array(CanonicalMessage).min(1).max(limits.messagesPerIntent).optional(),
}

const settings = {
  scheduleAt: DateTime.optional().meta({ description: 'When to send. Left out or past: at approval.' }),
  expiresAt: DateTime.optional().meta({ description: 'Nothing is sent from then on.' }),
  topicId: Reference.optional().meta({ description: 'Those who unsubscribed from the topic get nothing.' }),
  remindAt: DateTime.optional().meta({
    description: 'Sent again then. After the send time, before expiresAt.',
  }),
  channelPlanOverride: ChannelPlanOverride.optional(),
}

/** A message intent as a producer writes it. Exactly one of templateId (with variables) or messages. */
export const CreateMessage = z
  .strictObject({
    unitId: z
      .string()
      .optional()
      .meta({ description: 'Sessions with several units. Ignored for producer keys.' }),
    categoryId: Reference,
    ...content,
    audience: Audience,
    ...settings,
    kind: MessageKind.optional().meta({
      description:
        'personal, whose text only authors and approvers see, needs an individual audience and is what that is unless ' +
        'said; every other audience is broadcast.',
    }),
  })
  .superRefine((body, context) => {
    if ((body.templateId === undefined) === (body.messages === undefined))
      context.addIssue({ code: 'custom', path: [], message: 'give exactly one of templateId or messages' })
    if (body.variables !== undefined && body.templateId === undefined)
      context.addIssue({ code: 'custom', path: ['variables'], message: 'variables go with a templateId' })
    if (body.kind === 'personal' && body.audience.kind !== 'individual')
      context.addIssue({ code: 'custom', path: ['kind'], message: 'personal needs an individual audience' })
  })
  .meta({ id: 'CreateMessage' })
export type CreateMessage = z.infer<typeof CreateMessage>

/** `created` is false where the Idempotency-Key was known: `state` is then the state of today. */
export const CreatedMessage = z
  .object({ id: Id, state: MessageState, created: z.boolean() })
  .meta({ id: 'CreatedMessage' })
export type CreatedMessage = z.infer<typeof CreatedMessage>

/**
 * Changes of a draft: what is named is replaced, null takes an optional field away. The result must hold the same
 * rules as a new message. Giving `messages` takes the template away, and the other way round.
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
  .refine((body) => Object.keys(body).length > 0, 'name at least one field to change')
  .refine((body) => body.templateId === undefined || body.messages === undefined, {
    message: 'give only one of templateId or messages',
  })
  .meta({ id: 'EditMessage' })
export type EditMessage = z.infer<typeof EditMessage>
