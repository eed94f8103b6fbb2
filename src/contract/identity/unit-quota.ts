import { z } from 'zod'
import { QuotaMonth } from '../admin/quota.ts'
import { Channel, Id, Instant } from '../common.ts'
import { thresholds, waveNames } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'

const count = z.int().min(0)

const account = z.object({
  limit: count.describe('The limit of the month.'),
  reserved: count.describe('Reserved for approved messages that are not finished.'),
  committed: count.describe('Used by sends.'),
})

const Hold = z
  .object({
    messageId: Id.describe('The message that reserves them.'),
    title: LocalisedText.describe(
      "Its title; the category's name for callers who may not see the text of a personal message.",
    ),
    wave: z.enum(waveNames).describe('Whether they are for the send or for its reminder.'),
    sendAt: Instant.nullable().describe('When it is to be sent, in UTC; null: as soon as it can be.'),
    pushes: count.describe('How many.'),
  })
  .meta({ id: 'QuotaHold', description: 'What a message reserves.' })

/** A unit's quota of one month by channel, and which messages reserve it (docs/api/units.md). */
export const UnitQuota = z
  .object({
    month: QuotaMonth.describe("The month, yyyy-mm, in the installation's time zone of quota."),
    channels: z
      .array(
        z.object({
          channel: Channel.describe('The channel.'),
          unit: account.describe("The unit's own allotment."),
          pool: account.describe('The pool that all units share; it covers use beyond the allotment.'),
          threshold: z
            .enum(thresholds)
            .describe('How much of the allotment is used: `ok`; `warning` from 80 % on; `exhausted`.'),
          holds: z.array(Hold).describe(`What reserves it, the largest first, at most ${limits.quotaHolds}.`),
        }),
      )
      .describe('One entry for each channel.'),
  })
  .meta({ id: 'UnitQuota', description: "A unit's quota of one month, in pushes." })
export type UnitQuota = z.infer<typeof UnitQuota>

/** Which month. */
export const UnitQuotaQuery = z.object({
  month: QuotaMonth.optional().describe(
    "The month, yyyy-mm. Default: this one, in the installation's time zone of quota.",
  ),
})
export type UnitQuotaQuery = z.infer<typeof UnitQuotaQuery>
