import { z } from 'zod'
import { Channel, Instant } from '../common.ts'
import { suppressionReasons } from '../enums.ts'

/** The longest address that a channel takes, and more. */
const address = z
  .string()
  .min(1)
  .max(400)
  .meta({ description: 'The address, in any spelling.', examples: ['ann@example.edu'] })

export const FindSuppression = z
  .strictObject({ channel: Channel.describe('The channel of the address.'), address })
  .meta({
    id: 'FindSuppression',
    description: 'The address to look up. It is in the body, because paths are logged.',
  })
export type FindSuppression = z.infer<typeof FindSuppression>

export const Suppression = z
  .object({
    channel: Channel.describe('The channel of the address.'),
    since: Instant.describe('Since when nothing is sent to it, in UTC.'),
    reason: z
      .enum(suppressionReasons)
      .describe(
        'bounce: a mail server reported that the mailbox does not exist. complaint: its owner complained. refused: a ' +
          'mail server refused it during a send.',
      ),
  })
  .meta({
    id: 'Suppression',
    description: 'A suppressed address: nothing is sent to it, for any subject it is bound to.',
  })
export type Suppression = z.infer<typeof Suppression>

export const FoundSuppression = z
  .object({ suppression: Suppression.nullable().describe('Why it is suppressed; null: it is not.') })
  .meta({ id: 'FoundSuppression', description: 'Whether the address is suppressed.' })
export type FoundSuppression = z.infer<typeof FoundSuppression>

export const LiftSuppression = z
  .strictObject({
    channel: Channel.describe('The channel of the address.'),
    address,
    reason: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .describe('Why it may be sent to again, for the audit log: 1 to 1,000 characters.'),
  })
  .meta({ id: 'LiftSuppression', description: 'The address that may be sent to again.' })
export type LiftSuppression = z.infer<typeof LiftSuppression>
