import { z } from 'zod'
import { Decisions } from '../approvals.ts'
import { orBroken } from '../broken-rule.ts'
import {
  Actor,
  Channel,
  Decision,
  Id,
  Instant,
  NameSearch,
  oneOrMore,
  ordinaryKey,
  PageQuery,
  pageOf,
  Reference,
  UnitId,
} from '../common.ts'
import { templateStates } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedName, LocalisedText } from '../localised-text.ts'
import { TemplateMessage } from '../messages/content.ts'
import { PreviewMessage } from '../messages/dry-run.ts'
import { refuseLongText, textLimit } from '../text-length.ts'

const variableName = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, orBroken('wrong_format', { format: 'variable' }))
  .refine(...ordinaryKey)

const label = LocalisedName.optional().describe(
  'What people call it, wherever they are asked for a value. Omitted: its name.',
)

export const TemplateVariable = z
  .strictObject({
    name: variableName.describe('The name, as texts and `variables` of a message use it.'),
    label,
    required: z.boolean().describe('Whether a message must give a value.'),
    default: z.unknown().optional().describe('The value if a message gives none: any JSON. Omitted: none.'),
  })
  .meta({ id: 'TemplateVariable', description: 'One variable of a template.' })
export type TemplateVariable = z.infer<typeof TemplateVariable>

/** As `TemplateVariable`, in a request. */
export const GivenVariable = z
  .strictObject({
    name: variableName
      .max(limits.nameLength)
      .describe(
        `The name, as texts use it: letters, digits and _, not starting with a digit; at most ${limits.nameLength} characters.`,
      ),
    label,
    required: z
      .boolean()
      .optional()
      .describe('Whether a message must give a value. Default: true if there is no default value.'),
    default: z.unknown().optional().describe('The value if a message gives none: any JSON. Omitted: none.'),
  })
  .transform(({ required, ...rest }) => ({ ...rest, required: required ?? rest.default === undefined }))
  .meta({ id: 'GivenVariable', description: 'One variable of a template, as its author writes it.' })

/** The state of one version: `draft` until an approver decides. */
const TemplateState = z.enum(templateStates)

const template = z.strictObject({
  unitId: UnitId,
  name: z.string().trim().min(1).max(200).describe('Its name, for people of the unit: 1 to 200 characters.'),
  categoryId: Reference.describe('The id of the category of its messages, from GET /v1/categories.'),
  messages: z
    .array(TemplateMessage)
    .min(1)
    .max(limits.messagesPerIntent)
    .describe(
      `The content, block by block, 1 to ${limits.messagesPerIntent.toLocaleString('en')}. Texts are Liquid templates ` +
        `over the listed variables. ${textLimit}`,
    ),
  subject: LocalisedText.optional().describe(
    'The subject of the mail, a Liquid template as well. Omitted: the first title or text of the content.',
  ),
  variables: z
    .array(GivenVariable)
    .max(limits.variablesPerTemplate)
    .optional()
    .describe(`The variables that the texts use, at most ${limits.variablesPerTemplate}. Omitted: none.`),
})

export const CreateTemplate = template.superRefine(refuseLongText).meta({
  id: 'CreateTemplate',
  description: 'A new template. Every variable that its texts use must be listed.',
})
export type CreateTemplate = z.infer<typeof CreateTemplate>

export const CreateTemplateVersion = template
  .pick({ messages: true, subject: true, variables: true })
  .superRefine(refuseLongText)
  .meta({
    id: 'CreateTemplateVersion',
    description: 'The whole content of a new version. It replaces the one in force once it is approved.',
  })
export type CreateTemplateVersion = z.infer<typeof CreateTemplateVersion>

const version = {
  state: TemplateState.describe('The state of this version: `draft` until an approver decides.'),
  version: z.int().describe('The number of this version, counted from 1.'),
  messages: z.array(TemplateMessage).describe('Its content, with variables.'),
  subject: LocalisedText.nullable().describe('The subject of its mail; null: taken from the content.'),
  variables: z.array(TemplateVariable).describe('The variables that its texts may use.'),
  author: Actor.describe('Who wrote this version, and cannot approve it.'),
  createdAt: Instant.describe('When this version was written, in UTC.'),
  decision: Decision.nullable().describe('The decision about this version; null: none yet.'),
}

export const TemplateVersion = z
  .object(version)
  .meta({ id: 'TemplateVersion', description: 'One version of a template.' })
export type TemplateVersion = z.infer<typeof TemplateVersion>

export const TemplateVersionPage = pageOf(TemplateVersion).meta({
  id: 'TemplateVersionPage',
  description: "One page of a template's versions, newest first.",
})
export type TemplateVersionPage = z.infer<typeof TemplateVersionPage>

export const Template = z
  .object({
    id: Id.describe('The id of the template.'),
    unitId: Id.describe('The unit that it belongs to.'),
    name: z.string().describe('Its name, for people of the unit.'),
    categoryId: z.string().describe('The id of the category of its messages.'),
    inForce: z
      .int()
      .describe('The version that messages use: the newest approved one, or the newest if none is approved.'),
    ...version,
  })
  .meta({
    id: 'Template',
    description:
      'A template with its newest version. Only messages from an approved one can pass the automatic check.',
  })
export type Template = z.infer<typeof Template>

export const TemplateDetail = Template.extend({
  allowed: Decisions.describe('What the caller may decide about this version now.'),
  usedBy: z
    .object({
      bindings: z
        .array(
          z.object({
            id: Id.describe('The id of the binding.'),
            source: z.string().describe('The source of its events.'),
            type: z.string().describe('Their type.'),
          }),
        )
        .describe(`Event bindings, in force or waiting, at most ${limits.templateUses}.`),
      schedules: z
        .array(
          z.object({ id: Id.describe('The id of the schedule.'), name: z.string().describe('Its name.') }),
        )
        .describe(`Schedules that are not over, at most ${limits.templateUses}.`),
    })
    .describe('What makes messages of it by itself, the oldest first.'),
}).meta({
  id: 'TemplateDetail',
  description:
    'A template with its newest version, what the caller may decide about that, and what uses the template.',
})
export type TemplateDetail = z.infer<typeof TemplateDetail>

export const TemplatePage = pageOf(Template).meta({
  id: 'TemplatePage',
  description: "One page of a unit's templates, newest first.",
})
export type TemplatePage = z.infer<typeof TemplatePage>

/** `state` filters by the newest version. Sessions of people in several units must pass unitId. */
export const TemplateListQuery = PageQuery.extend({
  unitId: UnitId,
  state: oneOrMore(TemplateState)
    .optional()
    .describe('Only templates whose newest version has this state. May be repeated. Omitted: all.'),
  categoryId: Reference.optional().describe('Only templates of this category.'),
  q: NameSearch,
})
export type TemplateListQuery = z.infer<typeof TemplateListQuery>

/** Values for the newest version, and where it is shown. */
export const PreviewTemplate = z
  .strictObject({
    ...PreviewMessage.shape,
    channel: Channel.describe("The channel to preview: one of the plan of the template's category."),
    variables: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'The values of variables, by name. One that is required and has none here shows its label, or its name.',
      ),
  })
  .meta({ id: 'PreviewTemplate', description: 'Example values, and the language and channel to preview.' })
export type PreviewTemplate = z.infer<typeof PreviewTemplate>

const shownVersion = z
  .int()
  .min(1)
  .optional()
  .describe(
    'The version that was shown: 409 invalid_transition if there is a newer one. Omitted: the newest.',
  )

export const ApproveTemplate = z
  .strictObject({ version: shownVersion })
  .meta({ id: 'ApproveTemplate', description: 'The version that was shown to the approver.' })
export type ApproveTemplate = z.infer<typeof ApproveTemplate>

export const RejectTemplate = z
  .strictObject({
    reason: z.string().trim().min(1).max(1_000).describe('Why, for the author: 1 to 1,000 characters.'),
    version: shownVersion,
  })
  .meta({ id: 'RejectTemplate', description: 'Why the version is rejected.' })
export type RejectTemplate = z.infer<typeof RejectTemplate>
