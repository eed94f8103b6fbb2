import { z } from 'zod'
import { Channel, Id, pageOf } from '../common.ts'
import { thresholds } from '../enums.ts'

const count = z.int().min(0)
const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, such as 2026-12')
  .meta({ examples: ['2026-12'] })
const scope = z
  .union([z.literal('pool'), Id])
  .meta({ description: 'A unit id, or `pool`, which all units share.' })

/** The quota of a channel in a month, in pushes. `defaultLimit`: the limit that each month starts with. */
export const QuotaAccount = z
  .object({
    scope,
    channel: Channel,
    month,
    defaultLimit: count,
    limit: count,
    reserved: count,
    committed: count,
    threshold: z.enum(thresholds),
  })
  .meta({ id: 'QuotaAccount' })
export type QuotaAccount = z.infer<typeof QuotaAccount>

/** One account per channel. */
export const QuotaAccountPage = pageOf(QuotaAccount).meta({ id: 'QuotaAccountPage' })

/** The accounts to return; this month by default. */
export const QuotaQuery = z.object({ scope: scope.default('pool'), month: month.optional() })
export type QuotaQuery = z.infer<typeof QuotaQuery>

/** Without a month: this month and all later ones. */
export const SetQuota = z
  .strictObject({ scope, channel: Channel, limit: count.max(999_999_999), month: month.optional() })
  .meta({ id: 'SetQuota' })
export type SetQuota = z.infer<typeof SetQuota>
