import { z } from 'zod'
import { limits } from '../limits.ts'

/** A count of deliveries, people or acts. */
export const count = z.int().min(0)

/** Which unit, and how far back. */
export const MetricsQuery = z.object({
  unitId: z
    .string()
    .optional()
    .describe(
      'The id of the unit. Required for sessions of people in several units, and by default the only unit of the person. A ' +
        'producer key reads its own unit; another one is 404. An empty text counts as omitted.',
    ),
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.metricsDays)
    .default(limits.metricsDaysDefault)
    .describe(
      `How many days, 1 to ${limits.metricsDays}, in the time zone of the unit; ${limits.metricsDaysDefault} by default.`,
    ),
})
export type MetricsQuery = z.infer<typeof MetricsQuery>

/** The numbers of a unit's day that is over (docs/api/metrics.md). */
const TrendPoint = z
  .object({
    date: z.iso.date().describe('The day, in the time zone of the unit.'),
    sent: count.describe(
      'Deliveries of messages that finished on this day, and arrived or may have arrived.',
    ),
    people: count
      .nullable()
      .describe(
        'Distinct people of these deliveries; null: the deliveries were past retention before the day was counted.',
      ),
    reached: count.describe(
      'People reached by these messages, each once for each message; reminders do not count.',
    ),
    read: count.describe('Those of `reached` who have read the message so far: it rises after the day.'),
    blocked: count.describe(
      'People who blocked the chat account on this day, after the unit had reached them.',
    ),
    unsubscribes: count.describe(
      'Unsubscribed topics of the unit, and categories that were switched off by people whom the unit had reached by then.',
    ),
    handoffs: count.describe('Handoffs that were opened on this day.'),
    answers: count.describe('Answers to messages and to questions of scenarios that were given on this day.'),
    completed: count.describe('Conversations of scenarios that came to their end on this day.'),
  })
  .meta({ id: 'TrendPoint', description: 'The counts of a complete day of a unit.' })

export const Trend = z
  .object({ points: z.array(TrendPoint).describe('The days that are over, oldest first, without gaps.') })
  .meta({ id: 'Trend', description: 'The days of a unit, in numbers.' })
export type Trend = z.infer<typeof Trend>
