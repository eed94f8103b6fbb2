import type { CreateTemplate } from '../../contract/templates/template.ts'
import type { Composition } from '../../db/queries/composition/composition.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { createTemplate } from '../templates/templates.ts'
import { createTemplateVersion } from '../templates/versions.ts'
import { sameAs, writtenIn } from './compositions.ts'

/**
 * Makes a template of what is written, or a new version of one, which approvers are told of; what was written is then ended.
 * Pressed twice, it makes one. Returns the id of the template.
 * @throws ServiceError invalid_transition if another version is stored than the one that was shown, and what
 *   `createTemplate` and `createTemplateVersion` throw
 */
export async function submitTemplate(
  services: Services,
  principal: PersonPrincipal,
  ref: Pick<Composition, 'id' | 'version'>,
  { unitId: _, name, categoryId, ...content }: CreateTemplate,
): Promise<string> {
  const stored = await sameAs(services, principal, ref)
  const { unitId, templateId } = stored
  const { id } =
    templateId === null
      ? await createTemplate(services, principal, { unitId, name, categoryId, ...content }, writtenIn(stored))
      : await createTemplateVersion(services, principal, templateId, content, writtenIn(stored))
  return id
}
