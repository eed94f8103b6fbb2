import { z } from 'zod'
import { MessageState, ReviewReason } from './enum-schemas.ts'

/** The state after a move. */
export const MovedMessage = z.object({ state: MessageState }).meta({ id: 'MovedMessage' })
export type MovedMessage = z.infer<typeof MovedMessage>

/** A draft after an edit. Pass `version` in the next If-Match. */
export const EditedMessage = MovedMessage.extend({ version: z.int() }).meta({ id: 'EditedMessage' })
export type EditedMessage = z.infer<typeof EditedMessage>

/** With `version`, from the message's detail: 409 invalid_transition if content or snapshot has changed since. */
export const ApproveMessage = z
  .strictObject({ version: z.int().min(1).optional() })
  .meta({ id: 'ApproveMessage' })
export type ApproveMessage = z.infer<typeof ApproveMessage>

/** A person's approval is `approved: true` or an error. The automatic check may also return a reason for review. */
export const ApprovalOutcome = z
  .discriminatedUnion('approved', [
    z.object({ approved: z.literal(true) }),
    z.object({ approved: z.literal(false), reason: ReviewReason }),
  ])
  .meta({ id: 'ApprovalOutcome' })
export type ApprovalOutcome = z.infer<typeof ApprovalOutcome>

/** The reason is shown to the author. `version` as in ApproveMessage. */
export const RejectMessage = z
  .strictObject({ reason: z.string().trim().min(1).max(1_000), version: z.int().min(1).optional() })
  .meta({ id: 'RejectMessage' })
export type RejectMessage = z.infer<typeof RejectMessage>

/** `skip`: the remaining recipients are skipped with reason `parked` and the message finishes. */
export const RetryMessage = z.strictObject({ skip: z.boolean().optional() }).meta({ id: 'RetryMessage' })
export type RetryMessage = z.infer<typeof RetryMessage>
