import { z } from 'zod'
import { pageOf } from '../common.ts'
import { approvalRules, layers, unknownPolicies } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { ChannelPlan } from '../messages/channel-plan.ts'

/** A category of messages and its rules (docs/api/administration.md, Categories). */
export const Category = z
  .object({
    id: z.string(),
    name: LocalisedText,
    layer: z.enum(layers).meta({
      description:
        'mandatory ignores preferences, topics, quiet hours and the frequency cap, never consent or a block.',
    }),
    consentScope: z.string().nullable(),
    channelPlan: ChannelPlan,
    approval_rule: z.enum(approvalRules),
    autoMaxRecipients: z
      .int()
      .meta({ description: 'The largest audience that the automatic check may approve.' }),
    quietHours: z.object({ from: z.string(), to: z.string() }).nullable(),
    frequencyCap: z.object({ n: z.int(), days: z.int() }).nullable(),
    onUnknown: z.enum(unknownPolicies),
    enabled: z.boolean(),
  })
  .meta({ id: 'Category' })
export type Category = z.infer<typeof Category>

/** One page of categories: all enabled ones, even if the credential may use only some. */
export const CategoryPage = pageOf(Category).meta({ id: 'CategoryPage' })
export type CategoryPage = z.infer<typeof CategoryPage>
