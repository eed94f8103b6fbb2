import { z } from 'zod'
import { Channel } from '../common.ts'
import { approvalRules, layers, planModes, unknownPolicies } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, as in 22:00')
const few = z.int().min(1).max(9_999)

/** When nothing of the category begins, by the unit's clock; it may last over midnight. */
export const QuietHours = z
  .strictObject({ from: time, to: time })
  .refine(({ from, to }) => from !== to, 'from and to must differ')

/** At most `n` messages of the category to a person in so many days. */
export const FrequencyCap = z.strictObject({ n: few, days: few })

const channelPlan = z.strictObject({
  mode: z.enum(planModes),
  channels: z
    .array(Channel)
    .min(1)
    .refine((channels) => new Set(channels).size === channels.length, 'names a channel twice'),
})

const fields = {
  name: LocalisedText,
  layer: z.enum(layers),
  consentScope: z.string().trim().min(1).max(200).nullable(),
  channelPlan,
  approval_rule: z.enum(approvalRules),
  autoMaxRecipients: z.int().min(0).max(999_999_999).meta({
    description: 'How many people a message may reach that no person approves; with auto at least 1.',
  }),
  quietHours: QuietHours.nullable(),
  frequencyCap: FrequencyCap.nullable(),
  onUnknown: z
    .enum(unknownPolicies)
    .meta({ description: 'What becomes of mail of which nobody knows whether it arrived.' }),
  enabled: z.boolean(),
}

/** What a category may be called in a path and by producers. */
const id = z
  .string()
  .regex(/^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$/, 'letters and digits, with - _ . between')
  .max(64)

/** A new category, for all units. What is left out: by hand, no scope, no hours, no cap, kept, enabled. */
export const CreateCategory = z
  .strictObject({ id, ...fields })
  .partial()
  .required({ id: true, name: true, layer: true, channelPlan: true })
  .meta({ id: 'CreateCategory' })
export type CreateCategory = z.infer<typeof CreateCategory>

/** What is left out stays. */
export const EditCategory = z
  .strictObject(fields)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'say what to change')
  .meta({ id: 'EditCategory', examples: [{ enabled: false }] })
export type EditCategory = z.infer<typeof EditCategory>

/** A category in a path; what is none is answered like an unknown one. */
export const CategoryParams = z.object({ id: z.string().regex(/^[^\0]{1,200}$/) })
