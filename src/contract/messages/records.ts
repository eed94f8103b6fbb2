import { z } from 'zod'
import { RespondentSearch, respondentFields } from '../answers.ts'
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

/** What one person answered. */
export const MessageAnswers = z
  .object({
    ...respondentFields,
    answers: z
      .array(
        z.object({
          question: z
            .string()
            .describe(
              'What it answers: the number of the block, in a carousel `<block>.<card>`, counted from 1; a button that mutes or ' +
                'joins a group is a question of its own. The last answer to a question is kept.',
            ),
          optionId: z
            .string()
            .describe(
              'The option or button that was chosen: the same as the key in `answers` of the message.',
            ),
          data: PostbackData.nullable().describe(
            "The producer's own data of the postback that was chosen; null for any other button.",
          ),
          channel: Channel.describe('Where they answered.'),
          at: Instant.describe('When, in UTC.'),
        }),
      )
      .describe('The last answer to each question, in the order of the questions.'),
    at: Instant.describe('When they answered last, in UTC.'),
  })
  .meta({ id: 'MessageAnswers', description: 'What one person answered to the message.' })
export type MessageAnswers = z.infer<typeof MessageAnswers>

export const MessageAnswersPage = pageOf(MessageAnswers).meta({
  id: 'MessageAnswersPage',
  description: 'One page of who answered a message, in the order of subject ids.',
})
export type MessageAnswersPage = z.infer<typeof MessageAnswersPage>

/** By option and person. */
export const MessageAnswersQuery = PageQuery.extend({
  optionId: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Only people who chose this option, compared exactly.'),
  q: RespondentSearch,
})
export type MessageAnswersQuery = z.infer<typeof MessageAnswersQuery>
