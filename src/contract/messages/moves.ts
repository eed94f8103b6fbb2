import { z } from 'zod'
import { OrganiserIds } from '../answers.ts'
import { limits } from '../limits.ts'
import { MessageState, ReviewReason } from './enum-schemas.ts'

export const MovedMessage = z
  .object({ state: MessageState.describe('The state after the call.') })
  .meta({ id: 'MovedMessage', description: 'The state of the message after the call.' })
export type MovedMessage = z.infer<typeof MovedMessage>

export const EditedMessage = MovedMessage.extend({
  version: z.int().describe('The version after the edit. Unchanged if the edit changed nothing.'),
}).meta({ id: 'EditedMessage', description: 'A draft after an edit. Pass `version` in the next If-Match.' })
export type EditedMessage = z.infer<typeof EditedMessage>

export const SubmitMessage = z
  .strictObject({
    organisers: OrganiserIds.optional().describe(
      `${OrganiserIds.description} The approver sees them. Omitted: those of a withdrawn draft stay, otherwise nobody.`,
    ),
  })
  .meta({ id: 'SubmitMessage', description: 'Who is to read the answers.' })
export type SubmitMessage = z.infer<typeof SubmitMessage>

const shownVersion = z
  .int()
  .min(1)
  .optional()
  .describe(
    'The `version` of the detail that was shown: 409 invalid_transition if content or numbers have changed since. ' +
      'Omitted: whatever is current.',
  )

export const ApproveMessage = z
  .strictObject({ version: shownVersion })
  .meta({ id: 'ApproveMessage', description: 'What was shown to the approver.' })
export type ApproveMessage = z.infer<typeof ApproveMessage>

export const ApprovalOutcome = z
  .discriminatedUnion('approved', [
    z
      .object({ approved: z.literal(true).describe('The message is approved, and its quota is reserved.') })
      .meta({ id: 'Approved', description: 'The message is approved.' }),
    z
      .object({
        approved: z.literal(false).describe('The message stays in the review queue.'),
        reason: ReviewReason.describe(
          'Why the automatic check did not approve. `audience_small`: it names fewer than ' +
            `${limits.smallestAudience} people by the unit's own lists. \`category_not_auto\`: the category wants a ` +
            'person. `audience_not_subjects`: an event goes to a query. `template_required`, `template_not_approved`. ' +
            "`quota`: it is short. `audience_too_large`: above the category's `autoMaxRecipients`. " +
            '`content_violation`: the content must be changed.',
        ),
      })
      .meta({ id: 'LeftInReview', description: 'The decision is left to a person.' }),
  ])
  .meta({
    id: 'ApprovalOutcome',
    description:
      'Whether the message was approved; `approved` tells the two forms apart. With a session it is always true. A ' +
      'failed automatic check is no error: the message stays in review, with a `reason`.',
  })
export type ApprovalOutcome = z.infer<typeof ApprovalOutcome>

export const RejectMessage = z
  .strictObject({
    reason: z.string().trim().min(1).max(1_000).describe('Why, for the author: 1 to 1,000 characters.'),
    version: shownVersion,
  })
  .meta({ id: 'RejectMessage', description: 'Why the message is rejected.' })
export type RejectMessage = z.infer<typeof RejectMessage>

export const WithdrawMessage = z
  .strictObject({ version: shownVersion })
  .meta({ id: 'WithdrawMessage', description: 'What was shown to who takes it back.' })
export type WithdrawMessage = z.infer<typeof WithdrawMessage>

export const RetryMessage = z
  .strictObject({
    skip: z
      .boolean()
      .optional()
      .describe(
        'true: the remaining recipients are skipped with the reason `parked`, and the message finishes. Default: false.',
      ),
  })
  .meta({
    id: 'RetryMessage',
    description: 'Whether to try again, or to give up on the remaining recipients.',
  })
export type RetryMessage = z.infer<typeof RetryMessage>
