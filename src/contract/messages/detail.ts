import { z } from 'zod'
import { Organisers } from '../answers.ts'
import { Actor, Channel, Id, Instant } from '../common.ts'
import { driftReasons, groupChangeKinds, groupKinds, waveStates } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { StoredAudience } from './audience.ts'
import { CalendarEntry } from './calendar.ts'
import { ChannelPlan, StoredChannelPlanOverride } from './channel-plan.ts'
import { TemplateMessage } from './content.ts'
import { type ContentField, type MessageSetting, Pace } from './create.ts'
import { StoredDryRun } from './dry-run.ts'
import { Problem } from './enum-schemas.ts'
import { MessageListItem, MessageStats } from './list.ts'

const MessageContent = z
  .object({
    messages: z
      .array(TemplateMessage)
      .describe(
        'The blocks: before submit those of the producer or the template, where texts and addresses may contain ' +
          'variables; after it the rendered ones.',
      ),
    variables: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("Values of the template's variables, by name; null without a template."),
    subject: LocalisedText.nullable().describe(
      'The mail subject given beside `messages`; null: none was given, or the content is from a template. `title` is ' +
        'the subject in any case.',
    ),
    calendar: CalendarEntry.optional().describe(
      "The entry for the recipients' calendars, as it was given. Omitted: none.",
    ),
  } satisfies Record<Exclude<ContentField, 'templateId'>, z.ZodType>)
  .meta({ id: 'MessageContent', description: 'The content to send.' })

const Approval = z
  .object({
    by: Actor.describe('Who decided: a person, or the automatic check.'),
    at: Instant.describe('When, in UTC.'),
    outcome: z
      .enum(['approved', 'rejected', 'not_approved'])
      .describe('The decision. `not_approved`: the automatic check left the message to a person.'),
    reason: z
      .string()
      .optional()
      .describe('The reason of a rejection, or of the automatic check. Omitted: none.'),
  })
  .meta({ id: 'Approval', description: 'One decision about the message.' })

const TimelineEntry = z
  .object({
    at: Instant.describe('When, in UTC.'),
    action: z.string().describe('What was done, such as `create`, `submit`, `approve`, `start` or `finish`.'),
    by: Actor.describe('Who did it.'),
    reason: z.string().optional().describe('The reason that was given, or found. Omitted: none.'),
  })
  .meta({ id: 'TimelineEntry', description: 'One change of the message.' })

const count = z.int().min(0)

const Reminder = z
  .object({
    at: Instant.describe('When it is sent, in UTC.'),
    state: z
      .enum(waveStates)
      .nullable()
      .describe('Its state; null until the message is approved. `missed`: the approval came after its time.'),
    stats: MessageStats.optional().describe('Counts of its deliveries. Omitted until they are written.'),
    reached: count.describe('Deliveries of the first send that arrived or may have arrived.'),
    read: count.describe('Recipients who marked it as read, answered, or asked not to be reminded.'),
    doNotRemind: count.describe('Recipients who asked not to be reminded.'),
    sentAfterReminder: count.describe('Deliveries of the reminder that arrived or may have arrived.'),
  })
  .meta({
    id: 'Reminder',
    description: 'The second send of the same content, to recipients of the first who have not declined it.',
  })

const Parked = z
  .object({
    problem: Problem.describe('What it waits for.'),
    since: Instant.describe('Since when, in UTC.'),
    nextProbeAt: Instant.describe('When it is tried again, in UTC.'),
  })
  .meta({ id: 'Parked', description: 'Why a send waits. It continues by itself.' })

const Retrying = z
  .object({
    channel: Channel.describe('The channel of the deliveries.'),
    reason: z.string().meta({
      description: 'The reason, such as `greylisted`, `throttled` or `http_500`.',
      examples: ['greylisted'],
    }),
    deliveries: count.describe('The number of deliveries.'),
    tries: count.describe('How often the one that was deferred most often was deferred.'),
    since: Instant.describe('Since when the first of them is deferred, in UTC.'),
    nextTryAt: Instant.describe('When the first of them is tried again, in UTC.'),
  })
  .meta({
    id: 'Retrying',
    description: 'Deferred deliveries of one channel and reason. They are retried while the others continue.',
  })

export const Shortfall = z
  .object({
    people: count.describe('Subjects to whom it was sent; those who were skipped are not counted.'),
    reached: count.describe('Those of them who received it or may have.'),
    reasons: z
      .array(
        z.object({
          channel: Channel.describe('The channel of the deliveries.'),
          reason: z.string().meta({ description: 'The reason.', examples: ['bad_address'] }),
          deliveries: count.describe('How many deliveries failed for it.'),
        }),
      )
      .describe('Why deliveries failed, the commonest reason first.'),
  })
  .meta({ id: 'Shortfall', description: 'A send that ended and reached no one, or missed many people.' })

const AudienceGroup = z
  .object({
    id: Id.describe('The id of the group.'),
    name: z.string().describe('Its name.'),
    kind: z
      .enum(groupKinds)
      .describe('Whether its members are listed (`static`) or selected by a query (`dynamic`).'),
    keptBy: Actor.nullable().describe(
      'The producer key that keeps the group up to date: its changes do not return the message to review, unless ' +
        'more than a tenth of the recipients change. null: none.',
    ),
  })
  .meta({
    id: 'AudienceGroup',
    description:
      'A group on which the audience depends, as it was at the stored dry-run: named in it, or in the query of a dynamic ' +
      'group.',
  })

const Drift = z
  .object({
    reason: z
      .enum(driftReasons)
      .describe(
        'audience: the recipients or the groups changed. limit: more recipients than the automatic check ' +
          'may approve. quota: the quota is short. no_recipients: it had no recipients when it was approved, and ' +
          'still has none.',
      ),
    since: Instant.describe('When the dry-run that was approved was made, in UTC.'),
    recipients: z
      .object({
        approved: count.describe('In the dry-run that was approved.'),
        current: count.describe('In the stored dry-run.'),
      })
      .describe('How many subjects receive it.'),
    byChannel: z
      .partialRecord(
        Channel,
        z.object({
          added: count.describe('Recipients who were not in the approved dry-run.'),
          removed: count.describe('Recipients who were in it and are no longer in the audience.'),
        }),
      )
      .describe(
        'Recipients added and missing, by channel. A new address of the same subject counts as both.',
      ),
    exact: z
      .boolean()
      .describe('Whether `byChannel` is exact. An estimate is within about 3 % of the recipients.'),
    groups: z
      .array(
        z.object({
          id: Id.describe('The id of the group.'),
          name: z.string().describe('Its name.'),
          change: z.enum(groupChangeKinds).describe('What was changed: the members, or the query.'),
          by: Actor.describe('Who changed it.'),
          at: Instant.describe('When they first did so after the approved dry-run, in UTC.'),
        }),
      )
      .describe('Groups of the audience that were changed: once for each actor and kind of change.'),
  })
  .meta({
    id: 'Drift',
    description:
      'What changed between the dry-run that was approved and the stored one. Numbers only, never individuals.',
  })

const LinkClicks = z
  .object({
    total: count.describe('How often it was followed.'),
    byChannel: z.partialRecord(Channel, count).describe('The same by channel.'),
    byLocale: z
      .object({ 'zh-TW': count.describe('In Chinese.'), en: count.describe('In English.') })
      .describe('The same by the language in which it was sent.'),
    people: count.describe(
      'How many people followed it in their mail, each once. Chat recipients share the same links, so ' +
        'their clicks cannot be attributed.',
    ),
  })
  .meta({
    id: 'LinkClicks',
    description:
      'Requests for a tracked link. Programs that check mails and messages follow links too, so that these are not readers.',
  })

export const MessageDetail = MessageListItem.extend({
  answers: z
    .record(z.string(), count)
    .nullable()
    .describe(
      'How many people chose each option or button: by its own id (`id`, `optionId`, or `o` of a postback), otherwise ' +
        'by its number, counted from 1: `<block>.<option>`, in a carousel `<block>.<card>.<option>`. The last answer to a ' +
        'question counts. Counted as long as answers are kept. null: of a personal message, for callers who may not read who ' +
        'answered it.',
    ),
  answered: count.nullable().describe('How many people answered anything. null: as `answers`.'),
  organisers: Organisers,
  clicks: z
    .record(z.string(), LinkClicks)
    .nullable()
    .describe(
      'Of a message with tracked links: the clicks on each, by its number, counted from 1: `<block>.<action>`, in a ' +
        'carousel `<block>.<card>.<action>`. null: its links are not tracked.',
    ),
  categoryId: z.string().describe('The id of the category.'),
  topicId: z.string().nullable().describe('The id of the topic; null: none.'),
  audience: StoredAudience.describe('The audience as it was given.'),
  audienceGroups: z
    .array(AudienceGroup)
    .describe('The groups on which the audience depends. Empty before submit.'),
  drift: Drift.nullable().describe(
    'Set while the message waits for review because it changed after its approval.',
  ),
  channelPlan: ChannelPlan.describe("The effective plan: the category's plan, narrowed."),
  channelPlanOverride: StoredChannelPlanOverride.nullable().describe(
    'How the message narrows it; null: not at all.',
  ),
  pace: Pace.optional().describe('How fast it is sent. Omitted: as fast as the channels take it.'),
  template: z
    .object({
      id: Id.describe('The id of the template.'),
      name: z.string().describe('Its name.'),
      version: z
        .int()
        .describe('Its version: before submit the one in force, after it the one that was frozen.'),
    })
    .nullable()
    .describe('The template of the content; null if the message has its own.'),
  content: MessageContent.nullable().describe(
    'What is sent. null if the message is personal and the caller is neither an author nor an approver, or if the ' +
      'retention period of its text has passed.',
  ),
  snapshot: StoredDryRun.nullable().describe('The dry-run that submit stored; null before submit.'),
  approvals: z
    .array(Approval)
    .describe(`The decisions among the newest ${limits.trailPerMessage} changes, oldest first.`),
  timeline: z.array(TimelineEntry).describe(`The newest ${limits.trailPerMessage} changes, oldest first.`),
  reminder: Reminder.nullable().describe('The reminder; null: none.'),
  parked: Parked.nullable().describe(
    'Set while the send or the reminder waits for its provider or for quota.',
  ),
  retrying: z
    .array(Retrying)
    .describe('Deferred deliveries of the send or the reminder, by channel and reason.'),
  shortfall: Shortfall.optional().describe(
    'Set if the send ended and reached no one, or missed a tenth or more of at least 20 people: how many it ' +
      'reached, and the reasons for the others. After such a reminder, of the reminder. Otherwise omitted.',
  ),
  closedAt: Instant.nullable().describe(
    'Since when the message can no longer change, in UTC; null: it still can.',
  ),
} satisfies z.ZodRawShape &
  Record<Exclude<MessageSetting, keyof typeof MessageListItem.shape>, z.ZodType>).meta({
  id: 'MessageDetail',
  description: 'A message with its stored dry-run, counts, approvals and timeline.',
})
export type MessageDetail = z.infer<typeof MessageDetail>
