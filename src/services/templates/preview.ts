import { CreateMessage } from '../../contract/messages/create.ts'
import type { Preview } from '../../contract/messages/dry-run.ts'
import type { CreateTemplate, PreviewTemplate, TemplateVariable } from '../../contract/templates/template.ts'
import { findTemplate, type Template } from '../../db/queries/catalogue/template.ts'
import { findReferences, type References } from '../../db/queries/message/references.ts'
import { valueStandIn } from '../../domain/content/variable-label.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { assertKnownVariables, renderDraftOf } from '../messages/check-body.ts'
import { noCategory, noCategoryId } from '../messages/no-category.ts'
import { renderDraft } from '../messages/prepare.ts'
import { assertChannelInPlan, previewOf, previewsOf } from '../messages/preview.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { unsavedFrom } from '../messages/unsaved.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { checkVersion } from './version.ts'

type Values = PreviewTemplate['variables']

/**
 * What a channel shows of the newest version of a template, with example values: as a message of it would be frozen,
 * whether the version is approved or not.
 * @throws ServiceError not_found, validation_error for a variable that no version has or a channel that the category does
 *   not use, missing_variable, content_violation if the values make it invalid, not_configured
 */
export async function previewTemplate(
  services: Services,
  principal: Principal,
  id: string,
  { variables, ...options }: PreviewTemplate,
): Promise<Preview> {
  const template = await findInUnits(services.db, principal, id, 'template', findTemplate)
  const { row, sources } = await draftOf(services, template, variables)
  assertChannelInPlan(row, options.channel)
  return previewOf(
    services,
    row,
    await renderDraft(services, services.db, row, [options.channel], sources),
    options,
  )
}

/**
 * The same on every channel of the category, in each language, of one rendering.
 * @throws ServiceError as `previewTemplate` does
 */
export async function previewTemplateEverywhere(
  services: Services,
  principal: Principal,
  id: string,
  variables: Values,
): Promise<Preview[]> {
  const template = await findInUnits(services.db, principal, id, 'template', findTemplate)
  return shownEverywhere(services, template, variables)
}

/**
 * The same of a template that is not stored; of `noCategoryId`, as it would be on every channel.
 * @throws ServiceError what `createTemplate` throws about a body, and as `previewTemplate` does
 */
export async function previewUnsavedTemplate(
  services: Services,
  principal: Principal,
  { unitId: named, ...body }: CreateTemplate,
  values: Values,
): Promise<Preview[]> {
  const unitId = unitOf(principal, named)
  assertMayAsk(principal, 'create', unitId)
  const { messages, subject, variables } = await checkVersion(services, unitId, body, actorOf(principal))
  const text = { messages, subject, variables, categoryId: body.categoryId }
  const template = { ...text, id: unsavedId, unitId, version: 1, state: 'draft' as const }
  return shownEverywhere(services, template, values)
}

/** The id of a template that is not stored: of none. */
const unsavedId = '00000000-0000-7000-8000-000000000000'

/** What a message is rendered from. */
type Rendered = NonNullable<References['template']> & Pick<Template, 'unitId'>

async function shownEverywhere(services: Services, template: Rendered, values: Values): Promise<Preview[]> {
  const { row, sources } = await draftOf(services, template, values)
  const { channels } = row.channel_plan
  return previewsOf(services, row, await renderDraft(services, services.db, row, channels, sources))
}

/** A message of the newest version to everybody, which is not written. */
async function draftOf(services: Services, template: Rendered, values: Values) {
  const { unitId, categoryId, id, variables } = template
  const body = CreateMessage.parse({
    ...{ categoryId, templateId: id, audience: { kind: 'all' } },
    variables: valuesFor(variables, values),
  })
  const others = await findReferences(services.db, { categoryId, unitId })
  const category = categoryId === noCategoryId ? noCategory(services) : others.category
  const lookups = { ...others, category, template }
  await assertKnownVariables(services.db, body, lookups)
  return unsavedFrom(unitId, await renderDraftOf(services, body, lookups))
}

/** What was given; a variable that needs a value shows without one what people call it, as ⟨name⟩. */
function valuesFor(variables: readonly TemplateVariable[], values: Values = {}): Record<string, unknown> {
  const unset = variables.filter(({ name, required }) => required && values[name] === undefined)
  return { ...Object.fromEntries(unset.map((one) => [one.name, valueStandIn(one)])), ...values }
}
