import { z } from 'zod'

/** The states of a message intent (design 3). */
export const MessageState = z
  .enum([
    'draft',
    'submitted',
    'rejected',
    'approved',
    'sending',
    'sent',
    'failed',
    'paused',
    'cancelled',
    'stopped',
    'expired',
  ])
  .meta({ id: 'MessageState' })

/** Where a message came from. */
export const Origin = z.enum(['api', 'console', 'event', 'schedule'])

/** Why a send stands still and goes on by itself: the provider is down, its quota is used up, ours is. */
export const Problem = z.enum(['provider', 'provider_quota', 'quota'])

/** Why the automatic check left a message to a person (design 3). */
export const ReviewReason = z.enum([
  'category_not_auto',
  'template_required',
  'template_not_approved',
  'quota',
  'audience_too_large',
  'content_violation',
])

export type ReviewReason = z.infer<typeof ReviewReason>

/** `personal`: its text is shown only to its authors and to approvers (design 3). */
export const MessageKind = z.enum(['broadcast', 'personal'])
