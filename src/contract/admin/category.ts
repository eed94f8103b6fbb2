import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { Category } from '../catalogue/category.ts'
import { Channel, isChange, mustChange, omittable } from '../common.ts'
import { approvalRules, linkModes, planModes, unknownPolicies } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedName } from '../localised-text.ts'

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, orBroken('wrong_format', { format: 'time' }))
const smallCount = z.int().min(1).max(9_999)

/** Hours in which no send of the category starts, in the unit's time zone. They may span midnight. */
const QuietHours = z
  .strictObject({
    from: time.describe('When they begin, as hh:mm in the time zone of the unit.'),
    to: time.describe('When they end, as hh:mm; before `from`: on the next day.'),
  })
  .refine(({ from, to }) => from !== to, orBroken('same_time'))

/** At most `messages` messages of the category per subject in `days` days. */
const FrequencyCap = z.strictObject({
  messages: smallCount.describe('The most messages of the category to one subject.'),
  days: smallCount.describe('In this many days.'),
})

const channelPlan = z.strictObject({
  mode: z
    .enum(planModes)
    .describe(
      '`first_available`: one delivery, on the first channel on which the subject can be reached. `all`: one on each.',
    ),
  channels: z
    .array(Channel)
    .min(1)
    .refine((channels) => new Set(channels).size === channels.length, orBroken('repeated', { of: 'channel' }))
    .describe('The channels, in order of preference, each once.'),
})

const fields = {
  name: LocalisedName.describe('Its name, as recipients see it.'),
  layer: Category.shape.layer,
  consentScope: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .describe('The scope of the consent that subjects must have given. null: none is required.'),
  channelPlan: channelPlan.describe('On which channels its messages are sent.'),
  approval_rule: z
    .enum(approvalRules)
    .describe('`auto`: the automatic check may approve its messages. `manual`: a person must.'),
  autoMaxRecipients: z
    .int()
    .min(0)
    .max(999_999_999)
    .describe(
      'The largest audience that the automatic check may approve, in subjects; at least 1 if approval_rule is auto.',
    ),
  quietHours: QuietHours.nullable().describe(
    'Hours in which no send starts; one that is due waits until they end. null: none.',
  ),
  frequencyCap: FrequencyCap.nullable().describe(
    'How often a subject may get messages of the category. null: no limit.',
  ),
  onUnknown: z
    .enum(unknownPolicies)
    .describe('What happens to mail whose outcome is unknown: `keep` it as unknown, or `repeat` it once.'),
  acknowledgement: LocalisedName.nullable().describe(
    'What the chat answers a tap on a button or option of its messages, where `{label}` is the label that was tapped. ' +
      'null: nothing.',
  ),
  holdSeconds: z
    .int()
    .min(0)
    .max(limits.holdSeconds)
    .describe(
      `How long, in seconds, a message waits after a person has approved it, so that they can cancel it: 0 to ` +
        `${limits.holdSeconds}. Not after the automatic check, and not if the message expires before.`,
    ),
  links: z
    .enum(linkModes)
    .describe(
      'Where the buttons of its messages that open a web page lead: `direct`: straight to their URL; ' +
        '`tracked`: through the hub, which counts clicks.',
    ),
  enabled: z.boolean().describe('Whether its messages can be created and submitted.'),
}

/** A category's id, as used by producers and in paths. */
const id = z
  .string()
  .regex(/^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$/, orBroken('wrong_format', { format: 'category_id' }))
  .max(64)
  .describe(
    'The id that producers use, at most 64 characters: letters and digits, separated by -, _ or . It never changes.',
  )

export const CreateCategory = z
  .strictObject({
    id,
    ...fields,
    consentScope: omittable(fields.consentScope, 'Default: null.'),
    approval_rule: omittable(fields.approval_rule, 'Default: `manual`.'),
    autoMaxRecipients: omittable(fields.autoMaxRecipients, 'Default: 0.'),
    quietHours: omittable(fields.quietHours, 'Default: null.'),
    frequencyCap: omittable(fields.frequencyCap, 'Default: null.'),
    onUnknown: omittable(fields.onUnknown, 'Default: `keep`.'),
    acknowledgement: omittable(fields.acknowledgement, 'Default: `已收到：{label}` and `Got it: {label}`.'),
    holdSeconds: omittable(fields.holdSeconds, 'Default: 0.'),
    links: omittable(fields.links, 'Default: `direct`.'),
    enabled: omittable(fields.enabled, 'Default: true.'),
  })
  .meta({ id: 'CreateCategory', description: 'A new category, for all units.' })
export type CreateCategory = z.infer<typeof CreateCategory>

export const EditCategory = z
  .strictObject(fields)
  .partial()
  .refine(isChange, mustChange)
  .meta({
    id: 'EditCategory',
    minProperties: 1,
    description: 'Changes to a category, at least one. Omitted fields are unchanged.',
    examples: [{ enabled: false }],
  })
export type EditCategory = z.infer<typeof EditCategory>

/** A category in a path. A malformed id is treated as an unknown one. */
export const CategoryParams = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .refine((text) => !text.includes('\0'), orBroken('unstorable_text', { of: 'path' }))
    .describe('The id of the category, compared exactly.'),
})
