import { z } from 'zod'
import { limits } from '../limits.ts'
import { count } from './trend.ts'

const ratio = z.number().min(0).max(1).nullable()
const key = z.string().max(limits.metricsKeyLength)

/** A unit's last days, today included, in numbers (docs/api/metrics.md). Every field is a number or null. */
export const ExecutiveMetrics = z
  .object({
    reach: z
      .object({
        sent: count.describe('Deliveries that arrived or may have arrived, reminders included.'),
        people: count.describe('Distinct people of these deliveries.'),
        reached: count.describe('People reached by each message, added up; reminders do not count.'),
        read: count.describe('Those of `reached` who have read the message.'),
        blocked: count.describe('Those of `people` who blocked the chat account in these days.'),
        readRate: ratio.describe('`read` ÷ `reached`; null: no one was reached.'),
        blockRate: ratio.describe('`blocked` ÷ `people`; null: no one was reached.'),
      })
      .describe('Counts about messages.'),
    unsubscribes: z
      .object({
        topics: count.describe('Unsubscribed topics of the unit.'),
        categories: count.describe('Categories switched off by those whom the unit reached in these days.'),
      })
      .describe('What people no longer want.'),
    reminders: z
      .record(
        z.string(),
        z.object({
          reached: count.describe('People reached by the message.'),
          read: count.describe('Those of them who have read it.'),
          doNotRemind: count.describe('Those of them who asked for no reminder.'),
          sentAfterReminder: count.describe('Deliveries of the reminder that arrived or may have arrived.'),
        }),
      )
      .describe(
        `The messages with a reminder, by id: the newest ${limits.metricsReminders} that were sent in these days.`,
      ),
    handoffs: z
      .object({
        toPerson: count.describe('Handoffs that were opened in these days.'),
        replies: count.describe('Replies in them that arrived or may have arrived.'),
      })
      .describe('Conversations that people took over.'),
    completion: z
      .record(
        z.string(),
        z.object({
          invited: count.describe(
            'People who were sent a message whose button starts it, or whose run was started by others.',
          ),
          completed: count.describe('How many went to the end; no more than were invited.'),
          rate: ratio.describe('`completed` ÷ `invited`; null: no one was invited.'),
        }),
      )
      .describe(
        `The patterns of the unit that were open in these days, by id: the newest ${limits.metricsPatterns}. Counted from ` +
          'their beginning, every few minutes.',
      ),
    conversations: z
      .object({
        runs: count.describe('Runs of scenarios that began in these days.'),
        turns: count.describe('Turns that arrived or may have arrived.'),
        people: count.describe('With how many people.'),
        completed: count.describe('Those of `runs` that came to their end.'),
      })
      .describe('Counts about scenarios.'),
    funnel: z
      .record(
        key,
        z.object({
          visitor: count.describe('Those of them who are visitors.'),
          lead: count.describe('Those who are leads.'),
          member: count.describe('Those who are members.'),
          alumni: count.describe('Those who are alumni.'),
        }),
      )
      .describe(
        'All people of the institution by source and stage; `unknown`: without a source; `other`: with one that fewer than ' +
          `five have, or of more than ${limits.metricsKeyLength} characters. \`<source>:<ref>\` are those of a source with this ` +
          'ref, if at least five: they are counted under the source as well, or under `other`.',
      ),
    interests: z
      .record(key, count)
      .describe(
        'How many people of the institution carry each tag `interest:…`; `other`: those with one that fewer than five carry.',
      ),
    alumni: z
      .object({
        active: count.describe(
          'Alumni who have read, answered or tapped something in these days, of any unit.',
        ),
        total: count.describe('All alumni of the institution.'),
      })
      .describe('Alumni of the institution.'),
  })
  .meta({ id: 'ExecutiveMetrics', description: "A unit's last days, today included, in numbers." })
export type ExecutiveMetrics = z.infer<typeof ExecutiveMetrics>
