import { z } from 'zod'
import { Channel, Instant } from '../common.ts'
import { suppressionReasons } from '../enums.ts'

/** The longest address that a channel takes, and more. */
const address = z
  .string()
  .min(1)
  .max(400)
  .meta({ description: 'In any spelling.', examples: ['ann@example.edu'] })

/** An address, in the body: a path would be logged. */
export const FindSuppression = z.strictObject({ channel: Channel, address }).meta({ id: 'FindSuppression' })
export type FindSuppression = z.infer<typeof FindSuppression>

/** An address that is not sent to, whoever it is bound to. */
export const Suppression = z
  .object({
    channel: Channel,
    since: Instant,
    why: z.enum(suppressionReasons).meta({
      description:
        'bounce: a mail server reported that the mailbox does not exist. complaint: its owner complained. refused: a ' +
        'mail server refused it during a send.',
    }),
  })
  .meta({ id: 'Suppression' })
export type Suppression = z.infer<typeof Suppression>

/** null: the address is not suppressed. */
export const FoundSuppression = z
  .object({ suppression: Suppression.nullable() })
  .meta({ id: 'FoundSuppression' })
export type FoundSuppression = z.infer<typeof FoundSuppression>

/** The reason stands in the audit log. */
export const LiftSuppression = z
  .strictObject({ channel: Channel, address, reason: z.string().trim().min(1).max(1_000) })
  .meta({ id: 'LiftSuppression' })
export type LiftSuppression = z.infer<typeof LiftSuppression>
