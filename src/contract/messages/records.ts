import { z } from 'zod'
import { Channel, Id, Instant, oneOrMore, PageQuery, pageOf } from '../common.ts'
import { deliveryFields } from '../delivery-fields.ts'
import { deliveryStates } from '../enums.ts'
import { limits } from '../limits.ts'
import { PostbackData } from './content.ts'

const person = {
  subjectId: Id.describe(
    "Carillon's id of the person. It is kept after an erasure, and then identifies no one.",
  ),
  uid: z.string().nullable().describe('The uid of the person; null if they were erased.'),
}

/** Whom a message was for, on one channel, and its outcome. */
export const MessageDelivery = z
  .object({
    ...person,
    ...deliveryFields,
  })
  .meta({ id: 'MessageDelivery', description: 'The delivery of the message to one person on one channel.' })
export type MessageDelivery = z.infer<typeof MessageDelivery>

export const MessageDeliveryPage = pageOf(MessageDelivery).meta({
  id: 'MessageDeliveryPage',
  description:
    "One page of a message's deliveries, in the order of subject ids: first the send, then the reminder.",
})
export type MessageDeliveryPage = z.infer<typeof MessageDeliveryPage>

const uid = z.string().min(1).max(limits.uidLength)

/** By outcome, reason and person. */
export const MessageDeliveryQuery = PageQuery.extend({
  state: oneOrMore(z.enum(deliveryStates))
    .optional()
    .describe('Only deliveries with these outcomes. May be repeated. Omitted: all.'),
  reason: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only deliveries with this reason, compared exactly, such as `noConsent`.'),
  uid: uid.optional().describe('Only deliveries to the person with this uid.'),
})
export type MessageDeliveryQuery = z.infer<typeof MessageDeliveryQuery>

/** Who answered what. */
export const MessageAnswer = z
  .object({
    ...person,
    question: z
      .string()
      .describe(
        'What it answers: the number of the block, in a carousel `<block>.<card>`, counted from 1; a button that mutes or ' +
          'joins a group is a question of its own. The last answer to a question is kept.',
      ),
    optionId: z
      .string()
      .describe('The option or button that was chosen: the same as the key in `answers` of the message.'),
    data: PostbackData.nullable().describe(
      "The producer's own data of the postback that was chosen; null for any other button.",
    ),
    channel: Channel.describe('Where they answered.'),
    at: Instant.describe('When, in UTC.'),
  })
  .meta({ id: 'MessageAnswer', description: 'The last answer of one person to one question of the message.' })
export type MessageAnswer = z.infer<typeof MessageAnswer>

export const MessageAnswerPage = pageOf(MessageAnswer).meta({
  id: 'MessageAnswerPage',
  description: 'One page of the answers to a message, in the order of subject ids.',
})
export type MessageAnswerPage = z.infer<typeof MessageAnswerPage>

/** By option and person. */
export const MessageAnswerQuery = PageQuery.extend({
  optionId: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Only answers with this option, compared exactly.'),
  uid: uid.optional().describe('Only answers of the person with this uid.'),
})
export type MessageAnswerQuery = z.infer<typeof MessageAnswerQuery>
