import { z } from 'zod'
import { Actor, Channel, Id, Instant } from '../common.ts'
import { waveStates } from '../enums.ts'
import { StoredAudience } from './audience.ts'
import { ChannelPlan, ChannelPlanOverride } from './channel-plan.ts'
import { CanonicalMessage } from './content.ts'
import { StoredDryRun } from './dry-run.ts'
import { Problem } from './enum-schemas.ts'
import { MessageListItem, MessageStats } from './list.ts'

/** What will be, or was, sent. Messages are the producer's until submit, the rendered ones after it. */
export const MessageContent = z
  .object({
    messages: z.array(CanonicalMessage),
    variables: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'MessageContent' })

/** One answer to "may this go out?". `not_approved`: the automatic check left it to a person. */
export const Approval = z
  .object({
    by: Actor,
    at: Instant,
    outcome: z.enum(['approved', 'rejected', 'not_approved']),
    reason: z.string().optional(),
  })
  .meta({ id: 'Approval' })

/** Everything that changed the message, oldest first. */
export const TimelineEntry = z
  .object({ at: Instant, what: z.string(), by: Actor, reason: z.string().optional() })
  .meta({ id: 'TimelineEntry' })

const count = z.int().min(0)

/** The second send to those who did not answer do-not-remind; state and stats from its approval on. */
export const Reminder = z
  .object({
    at: Instant,
    state: z.enum(waveStates).nullable(),
    stats: MessageStats.optional(),
    reached: count.meta({ description: 'Deliveries of the first send that arrived, or may have.' }),
    read: count.meta({ description: 'People who marked it read, answered, or asked for no reminder.' }),
    doNotRemind: count.meta({ description: 'People who asked for no reminder.' }),
    sentAfterReminder: count.meta({ description: 'Deliveries of the reminder that arrived, or may have.' }),
  })
  .meta({ id: 'Reminder' })

/** A send that stands still and goes on by itself: why, since when, and when it tries again. */
export const Parked = z
  .object({ problem: Problem, since: Instant, nextProbeAt: Instant })
  .meta({ id: 'Parked' })

/** Deliveries that were put off and are tried again by themselves, while the others go on. */
export const Retrying = z
  .object({
    channel: Channel,
    reason: z
      .string()
      .meta({ description: 'Why: `greylisted`, `throttled`, `http_500`, …', examples: ['greylisted'] }),
    recipients: count.meta({ description: 'Deliveries that wait.' }),
    tries: count.meta({ description: 'How often at most they were put off.' }),
    since: Instant,
    nextTryAt: Instant,
  })
  .meta({ id: 'Retrying' })

/** A message with its stored dry-run, counts, approvals and history. */
export const MessageDetail = MessageListItem.extend({
  categoryId: z.string(),
  topicId: z.string().nullable(),
  audience: StoredAudience,
  channelPlan: ChannelPlan.meta({ description: "The plan in force: the category's, narrowed." }),
  channelPlanOverride: ChannelPlanOverride.nullable(),
  template: z.object({ id: Id, name: z.string(), version: z.int() }).nullable(),
  content: MessageContent.nullable().meta({
    description:
      'null where the message is personal and the caller neither its author nor an approver, and where the ' +
      'retention time of its text is over.',
  }),
  snapshot: StoredDryRun.nullable(),
  approvals: z.array(Approval),
  timeline: z.array(TimelineEntry),
  reminder: Reminder.nullable(),
  parked: Parked.nullable().meta({
    description: 'The send, or the reminder, waits for its provider or for quota.',
  }),
  retrying: z.array(Retrying).meta({
    description:
      'What of the send, or of the reminder, was put off and is tried again: by channel and reason.',
  }),
  closedAt: Instant.nullable().meta({ description: 'From then on nothing can happen to it any more.' }),
}).meta({ id: 'MessageDetail' })
export type MessageDetail = z.infer<typeof MessageDetail>
