import { z } from 'zod'
import { Channel, distinct } from '../common.ts'
import { channels, planModes } from '../enums.ts'

const mode = z.enum(planModes)
const aboutMode =
  '`first_available`: one delivery, on the first channel on which the subject can be reached. `all`: one on each of them.'

export const ChannelPlan = z
  .object({
    mode: mode.describe(aboutMode),
    channels: z.array(Channel).min(1).describe('The channels, in order of preference.'),
  })
  .meta({ id: 'ChannelPlan', description: 'On which channels a message is sent to each subject.' })
export type ChannelPlan = z.infer<typeof ChannelPlan>

export const ChannelPlanOverride = z
  .strictObject({
    channels: z
      .array(Channel)
      .min(1)
      .max(channels.length)
      .overwrite(distinct)
      .optional()
      .describe("Some of the category's channels. Omitted: all of them."),
    mode: mode
      .optional()
      .describe("`first_available`, even if the category's plan is `all`. Omitted: the category's mode."),
  })
  .meta({
    id: 'ChannelPlanOverride',
    description:
      "Narrows the category's plan: fewer channels, or `first_available` in place of `all`. Widening it is rejected.",
    examples: [{ channels: ['chat'] }],
  })
export type ChannelPlanOverride = z.infer<typeof ChannelPlanOverride>

export const StoredChannelPlanOverride = z
  .object({
    channels: z
      .array(Channel)
      .optional()
      .describe("The channels that are left of the category's. Omitted: all."),
    mode: mode.optional().describe("The mode in place of the category's. Omitted: the category's."),
  })
  .meta({ id: 'StoredChannelPlanOverride', description: "How the message narrows its category's plan." })
