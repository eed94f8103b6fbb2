import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { Channel, Id, pageOf } from '../common.ts'
import { thresholds } from '../enums.ts'

const count = z.int().min(0)
/** A month of quota. */
export const QuotaMonth = z
  .string()
  .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, orBroken('wrong_format', { format: 'month' }))
  .meta({ description: "A month, yyyy-mm, in the installation's time zone of quota.", examples: ['2026-12'] })
const scope = z.union([z.literal('pool'), Id]).describe('A unit id, or `pool`, which all units share.')

export const QuotaAccount = z
  .object({
    scope,
    channel: Channel.describe('The channel.'),
    month: QuotaMonth.describe("The month, yyyy-mm, in the installation's time zone of quota."),
    defaultLimit: count.describe('The limit that each new month starts with.'),
    limit: count.describe('The limit of this month.'),
    reserved: count.describe('Reserved for approved messages that are not finished.'),
    committed: count.describe('Used by sends.'),
    threshold: z
      .enum(thresholds)
      .describe('How much of the limit is used: `ok`; `warning` from 80 % on; `exhausted`.'),
  })
  .meta({
    id: 'QuotaAccount',
    description: 'The quota of a unit or the pool on one channel in one month, in pushes.',
  })
export type QuotaAccount = z.infer<typeof QuotaAccount>

export const QuotaAccountPage = pageOf(QuotaAccount).meta({
  id: 'QuotaAccountPage',
  description: 'All accounts, one for each channel.',
})

/** The accounts to return; this month by default. */
export const QuotaQuery = z.object({
  scope: scope.default('pool').describe('A unit id, or `pool`, which all units share. Default: pool.'),
  month: QuotaMonth.optional().describe(
    "The month, yyyy-mm. Default: this one, in the installation's time zone of quota.",
  ),
})
export type QuotaQuery = z.infer<typeof QuotaQuery>

export const SetQuota = z
  .strictObject({
    scope,
    channel: Channel.describe('The channel.'),
    limit: count
      .max(999_999_999)
      .describe('The new limit in pushes, not below what is committed and reserved.'),
    month: QuotaMonth.optional().describe(
      'The only month that it applies to, yyyy-mm. Omitted: this one and all later ones.',
    ),
  })
  .meta({ id: 'SetQuota', description: 'A limit to set.' })
export type SetQuota = z.infer<typeof SetQuota>

/** The details of a limit below what is used. */
export const QuotaUsed = z
  .looseObject({ used: count.describe('Committed and reserved pushes together: the lowest possible limit.') })
  .meta({ description: 'What is used already.', examples: [{ used: 1_200 }] })
