import { z } from 'zod'
import { Actor, Channel, Id, Instant } from '../common.ts'
import { driftReasons, groupChangeKinds, groupKinds, waveStates } from '../enums.ts'
import { StoredAudience } from './audience.ts'
import { ChannelPlan, StoredChannelPlanOverride } from './channel-plan.ts'
import { TemplateMessage } from './content.ts'
import { StoredDryRun } from './dry-run.ts'
import { Problem } from './enum-schemas.ts'
import { MessageListItem, MessageStats } from './list.ts'

/**
 * The content to send. `messages` are those of the producer or the template before submit, where links may contain
 * variables; after it, the rendered ones.
 */
export const MessageContent = z
  .object({
    messages: z.array(TemplateMessage),
    variables: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'MessageContent' })

/** One approval decision. `not_approved`: the automatic check left the message to a person. */
export const Approval = z
  .object({
    by: Actor,
    at: Instant,
    outcome: z.enum(['approved', 'rejected', 'not_approved']),
    reason: z.string().optional(),
  })
  .meta({ id: 'Approval' })

/** One change to the message. The timeline is ordered oldest first. */
export const TimelineEntry = z
  .object({ at: Instant, what: z.string(), by: Actor, reason: z.string().optional() })
  .meta({ id: 'TimelineEntry' })

const count = z.int().min(0)

/**
 * The second send, to recipients who have not declined it. `state` is set from approval on, `stats` once its deliveries
 * are written.
 */
export const Reminder = z
  .object({
    at: Instant,
    state: z.enum(waveStates).nullable(),
    stats: MessageStats.optional(),
    reached: count.meta({ description: 'Deliveries of the first send that arrived or may have arrived.' }),
    read: count.meta({
      description: 'Recipients who marked it as read, answered, or asked not to be reminded.',
    }),
    doNotRemind: count.meta({ description: 'Recipients who asked not to be reminded.' }),
    sentAfterReminder: count.meta({
      description: 'Deliveries of the reminder that arrived or may have arrived.',
    }),
  })
  .meta({ id: 'Reminder' })

/** Why a send is parked, since when, and when it is retried. It continues automatically. */
export const Parked = z
  .object({ problem: Problem, since: Instant, nextProbeAt: Instant })
  .meta({ id: 'Parked' })

/** Deferred deliveries, retried automatically while the others continue. */
export const Retrying = z
  .object({
    channel: Channel,
    reason: z.string().meta({
      description: 'The reason, such as `greylisted`, `throttled` or `http_500`.',
      examples: ['greylisted'],
    }),
    recipients: count.meta({ description: 'Deferred deliveries.' }),
    tries: count.meta({ description: 'The largest number of times that one of them was deferred.' }),
    since: Instant,
    nextTryAt: Instant,
  })
  .meta({ id: 'Retrying' })

/** A group on which the audience depends, as it was at the stored dry-run: named in it, or in a dynamic group's query. */
export const AudienceGroup = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(groupKinds),
    keptBy: Actor.nullable().meta({
      description:
        'The producer key that keeps the group up to date: its changes do not return the message to review, unless ' +
        'more than a tenth of the recipients change.',
    }),
  })
  .meta({ id: 'AudienceGroup' })

/** What changed between the dry-run that was approved and the stored one. Numbers only, never individuals. */
export const Drift = z
  .object({
    reason: z.enum(driftReasons).meta({
      description:
        'audience: the recipients or the groups changed. limit: more recipients than the automatic check may ' +
        'approve. quota: the quota is short.',
    }),
    since: Instant.meta({ description: 'When the dry-run that was approved was made.' }),
    recipients: z.object({ before: count, now: count }),
    byChannel: z.partialRecord(Channel, z.object({ new: count, gone: count })).meta({
      description: 'Recipients added and missing. A new address of the same subject counts as both.',
    }),
    exact: z.boolean().meta({
      description: 'Whether `byChannel` is exact. An estimate is within about 3 % of the recipients.',
    }),
    groups: z
      .array(
        z.object({
          id: Id,
          name: z.string(),
          what: z.enum(groupChangeKinds),
          by: Actor,
          at: Instant.meta({ description: 'Of the first such change.' }),
        }),
      )
      .meta({
        description: 'Groups of the audience that were changed: once for each actor and kind of change.',
      }),
  })
  .meta({ id: 'Drift' })

/** A message with its stored dry-run, counts, approvals and timeline. */
export const MessageDetail = MessageListItem.extend({
  answers: z.record(z.string(), count).meta({
    description:
      'How many people chose each option or button: by its own id (`id`, `optionId`, or `o` of a postback), otherwise ' +
      'by its place, counted from 1: `<block>.<option>`, in a carousel `<block>.<card>.<option>`. The last answer to a ' +
      'question counts. Counted as long as answers are kept.',
  }),
  categoryId: z.string(),
  topicId: z.string().nullable(),
  audience: StoredAudience,
  audienceGroups: z
    .array(AudienceGroup)
    .meta({ description: 'The groups on which the audience depends. Empty before submit.' }),
  drift: Drift.nullable().meta({
    description: 'Set while the message waits for review because it changed after its approval.',
  }),
  channelPlan: ChannelPlan.meta({ description: "The effective plan: the category's plan, narrowed." }),
  channelPlanOverride: StoredChannelPlanOverride.nullable(),
  template: z.object({ id: Id, name: z.string(), version: z.int() }).nullable(),
  content: MessageContent.nullable().meta({
    description:
      'null if the message is personal and the caller is neither an author nor an approver, or if the retention ' +
      'period of its text has passed.',
  }),
  snapshot: StoredDryRun.nullable(),
  approvals: z.array(Approval),
  timeline: z.array(TimelineEntry),
  reminder: Reminder.nullable(),
  parked: Parked.nullable().meta({
    description: 'Set while the send or the reminder waits for its provider or for quota.',
  }),
  retrying: z.array(Retrying).meta({
    description: 'Deferred deliveries of the send or the reminder, by channel and reason.',
  }),
  closedAt: Instant.nullable().meta({ description: 'Set once the message can no longer change.' }),
}).meta({ id: 'MessageDetail' })
export type MessageDetail = z.infer<typeof MessageDetail>
