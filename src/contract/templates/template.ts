import { z } from 'zod'
import { Actor, Id, Instant, oneOrMore, PageQuery, pageOf, Reference, UnitId } from '../common.ts'
import { templateStates } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { TemplateMessage } from '../messages/content.ts'
import { refuseLongText, textLimit } from '../text-length.ts'

const variableName = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, 'must be letters, digits and underscores, not starting with a digit')

/** One variable of a template. A required variable must be given; an optional one falls back to its default. */
export const TemplateVariable = z
  .strictObject({ name: variableName, required: z.boolean(), default: z.unknown().optional() })
  .meta({ id: 'TemplateVariable' })
export type TemplateVariable = z.infer<typeof TemplateVariable>

/** A variable as its author writes it. */
const GivenVariable = z
  .strictObject({
    name: variableName.max(limits.nameLength),
    required: z.boolean().optional().meta({ description: 'Default: true if there is no default value.' }),
    default: z.unknown().optional(),
  })
  .transform(({ required, ...rest }) => ({ ...rest, required: required ?? rest.default === undefined }))
  .meta({ id: 'GivenVariable' })

/** The state of one version: `draft` until an approver decides. */
export const TemplateState = z.enum(templateStates)

const template = z.strictObject({
  unitId: UnitId,
  name: z.string().trim().min(1).max(200),
  categoryId: Reference,
  messages: z.array(TemplateMessage).min(1).max(limits.messagesPerIntent).meta({ description: textLimit }),
  subject: LocalisedText.optional().meta({ description: 'The subject of the mail.' }),
  variables: z.array(GivenVariable).max(limits.variablesPerTemplate).optional(),
})

/** A new template. Its texts are Liquid templates; every variable used must be listed. */
export const CreateTemplate = template.superRefine(refuseLongText).meta({ id: 'CreateTemplate' })
export type CreateTemplate = z.infer<typeof CreateTemplate>

/** New content for a template. Replaces the previous version once approved. */
export const CreateTemplateVersion = template
  .pick({ messages: true, subject: true, variables: true })
  .superRefine(refuseLongText)
  .meta({ id: 'CreateTemplateVersion' })
export type CreateTemplateVersion = z.infer<typeof CreateTemplateVersion>

const version = {
  state: TemplateState,
  version: z.int(),
  messages: z.array(TemplateMessage),
  subject: LocalisedText.nullable(),
  variables: z.array(TemplateVariable),
  author: Actor,
  createdAt: Instant,
  decision: z.object({ by: Actor, at: Instant, reason: z.string().optional() }).nullable(),
}

/** One version of a template, with the decision about it. */
export const TemplateVersion = z.object(version).meta({ id: 'TemplateVersion' })
export type TemplateVersion = z.infer<typeof TemplateVersion>

/** One page of a template's versions, newest first. */
export const TemplateVersionPage = pageOf(TemplateVersion).meta({ id: 'TemplateVersionPage' })
export type TemplateVersionPage = z.infer<typeof TemplateVersionPage>

/** A template with its newest version. Only an approved version can pass the automatic check. */
export const Template = z
  .object({
    id: Id,
    unitId: Id,
    name: z.string(),
    categoryId: z.string(),
    inForce: z.int().meta({
      description:
        'The version that messages use: the newest approved one, or the newest if none is approved.',
    }),
    ...version,
  })
  .meta({ id: 'Template' })
export type Template = z.infer<typeof Template>

/** One page of a unit's templates, newest first. */
export const TemplatePage = pageOf(Template).meta({ id: 'TemplatePage' })
export type TemplatePage = z.infer<typeof TemplatePage>

/** `state` filters by the newest version. Sessions of people in several units must pass unitId. */
export const TemplateListQuery = PageQuery.extend({
  unitId: UnitId,
  state: oneOrMore(TemplateState).optional(),
  categoryId: Reference.optional(),
})
export type TemplateListQuery = z.infer<typeof TemplateListQuery>

/** With `version`: 409 invalid_transition if there is a newer one. */
export const ApproveTemplate = z
  .strictObject({ version: z.int().min(1).optional() })
  .meta({ id: 'ApproveTemplate' })
export type ApproveTemplate = z.infer<typeof ApproveTemplate>

/** The reason is shown to the author. */
export const RejectTemplate = z
  .strictObject({ reason: z.string().trim().min(1).max(1_000), version: z.int().min(1).optional() })
  .meta({ id: 'RejectTemplate' })
export type RejectTemplate = z.infer<typeof RejectTemplate>
