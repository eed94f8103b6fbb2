import { z } from 'zod'
import { messageKinds, messageStates, origins, problems, remindTos, reviewReasons } from '../enums.ts'

/** The states of a message intent (docs/architecture.md, The states of a message). */
export const MessageState = z.enum(messageStates).meta({
  id: 'MessageState',
  description:
    'The state of a message. `draft`: can be edited. `submitted`: waits for approval. `approved`: waits for its time. ' +
    '`sending`, `paused`. `sent`: the send is over; a reminder may follow. Final: `rejected`, `failed` (nothing arrived ' +
    'and some failed), `cancelled` (before anything was sent), `stopped` (during the send), `expired`.',
})

/** Where a message came from. */
export const Origin = z.enum(origins)

/**
 * Why a send is parked: the provider is down, the provider's quota is exhausted, Carillon's quota is, or a step keeps
 * failing inside Carillon.
 */
export const Problem = z.enum(problems)

/** Why the automatic check left a message to an approver. */
export const ReviewReason = z.enum(reviewReasons)

/** `personal`: its text is shown only to its authors and to approvers. */
export const MessageKind = z.enum(messageKinds)

/** Whom a reminder goes to: all who received the message, or those of them who have not answered it. */
export const RemindTo = z.enum(remindTos)
