import { z } from 'zod'
import { Channel, Instant } from './common.ts'
import { deliveryStates } from './enums.ts'

/** What every list of deliveries says of one. */
export const deliveryFields = {
  reminder: z.boolean().describe('Whether it belongs to the reminder; false: to the first send.'),
  channel: Channel.describe('The channel.'),
  state: z
    .enum(deliveryStates)
    .describe('The outcome. `unknown`: it may or may not have arrived. `skipped`: it was not tried.'),
  reason: z
    .string()
    .nullable()
    .describe('Why it was skipped or failed: a keyword, or a code of the provider; null if there is none.'),
  at: Instant.nullable().describe(
    'When the provider was first called, in UTC; for skipped deliveries, when the send started; null: not yet.',
  ),
}
