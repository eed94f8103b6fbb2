import { z } from 'zod'
import { Channel, isChange, mustChange } from '../common.ts'
import { approvalRules, layers, planModes, unknownPolicies } from '../enums.ts'
import { LocalisedName } from '../localised-text.ts'

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 22:00')
const smallCount = z.int().min(1).max(9_999)

/** Hours in which no send of the category starts, in the unit's time zone. They may span midnight. */
export const QuietHours = z
  .strictObject({ from: time, to: time })
  .refine(({ from, to }) => from !== to, 'from and to must differ')

/** At most `n` messages of the category per subject in `days` days. */
export const FrequencyCap = z.strictObject({ n: smallCount, days: smallCount })

const channelPlan = z.strictObject({
  mode: z.enum(planModes),
  channels: z
    .array(Channel)
    .min(1)
    .refine((channels) => new Set(channels).size === channels.length, 'must not repeat a channel'),
})

const fields = {
  name: LocalisedName,
  layer: z.enum(layers),
  consentScope: z.string().trim().min(1).max(200).nullable(),
  channelPlan,
  approval_rule: z.enum(approvalRules),
  autoMaxRecipients: z.int().min(0).max(999_999_999).meta({
    description:
      'The largest audience that the automatic check may approve; at least 1 if approval_rule is auto.',
  }),
  quietHours: QuietHours.nullable(),
  frequencyCap: FrequencyCap.nullable(),
  onUnknown: z.enum(unknownPolicies).meta({ description: 'What happens to mail whose outcome is unknown.' }),
  enabled: z.boolean(),
}

/** A category's id, as used by producers and in paths. */
const id = z
  .string()
  .regex(/^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$/, 'must be letters and digits, separated by -, _ or .')
  .max(64)

/**
 * A new category, for all units. Defaults: manual approval, no consent scope, no quiet hours, no frequency cap, unknown
 * mail kept, enabled.
 */
export const CreateCategory = z
  .strictObject({ id, ...fields })
  .partial()
  .required({ id: true, name: true, layer: true, channelPlan: true })
  .meta({ id: 'CreateCategory' })
export type CreateCategory = z.infer<typeof CreateCategory>

/** Omitted fields are unchanged. */
export const EditCategory = z
  .strictObject(fields)
  .partial()
  .refine(isChange, mustChange)
  .meta({ id: 'EditCategory', examples: [{ enabled: false }] })
export type EditCategory = z.infer<typeof EditCategory>

/** A category in a path. A malformed id is treated as an unknown one. */
export const CategoryParams = z.object({ id: z.string().regex(/^[^\0]{1,200}$/) })
