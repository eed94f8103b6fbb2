import { z } from 'zod'
import { pageOf } from '../common.ts'
import { approvalRules, layers, unknownPolicies } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { ChannelPlan } from '../messages/channel-plan.ts'

/** A kind of message and its rules (docs/api/administration.md, Categories). */
export const Category = z
  .object({
    id: z.string(),
    name: LocalisedText,
    layer: z
      .enum(layers)
      .meta({ description: 'mandatory ignores preferences and topics, never consent or block.' }),
    consentScope: z.string().nullable(),
    channelPlan: ChannelPlan,
    approval_rule: z.enum(approvalRules),
    autoMaxRecipients: z.int().meta({ description: 'The automatic check approves up to so many people.' }),
    quietHours: z.object({ from: z.string(), to: z.string() }).nullable(),
    frequencyCap: z.object({ n: z.int(), days: z.int() }).nullable(),
    onUnknown: z.enum(unknownPolicies),
    enabled: z.boolean(),
  })
  .meta({ id: 'Category' })
export type Category = z.infer<typeof Category>

/** The enabled categories, whoever asks; a credential may be restricted to some. */
export const CategoryPage = pageOf(Category).meta({ id: 'CategoryPage' })
export type CategoryPage = z.infer<typeof CategoryPage>
