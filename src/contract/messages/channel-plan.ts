import { z } from 'zod'
import { Channel, distinct } from '../common.ts'
import { channels, planModes } from '../enums.ts'

const mode = z.enum(planModes)

/** The channels of a category: the first available to the subject, or every available one. */
export const ChannelPlan = z.object({ mode, channels: z.array(Channel).min(1) }).meta({ id: 'ChannelPlan' })
export type ChannelPlan = z.infer<typeof ChannelPlan>

/** Narrows the category's plan: drops channels, or turns `all` into `first_available`. Widening it is rejected. */
export const ChannelPlanOverride = z
  .strictObject({
    channels: z.array(Channel).min(1).max(channels.length).overwrite(distinct).optional(),
    mode: mode.optional(),
  })
  .meta({ id: 'ChannelPlanOverride', examples: [{ channels: ['chat'] }] })
export type ChannelPlanOverride = z.infer<typeof ChannelPlanOverride>

/** The same in responses. */
export const StoredChannelPlanOverride = z
  .object({ channels: z.array(Channel).optional(), mode: mode.optional() })
  .meta({ id: 'StoredChannelPlanOverride' })
