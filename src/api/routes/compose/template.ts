import { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import { findUnit } from '../../../db/queries/identity/unit.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { listCategories } from '../../../services/catalogue/categories.ts'
import { submitTemplate } from '../../../services/compositions/submit-template.ts'
import type { Services } from '../../../services/context.ts'
import { picturesOf } from '../../../services/media/pictures-in.ts'
import { previewUnsavedTemplate } from '../../../services/templates/preview.ts'
import { orNotFound } from '../../../services/unit-access.ts'
import { type FieldIssue, issuesOf } from '../../compose/described.ts'
import { exampleValues, templateDescribedBy } from '../../compose/template-body.ts'
import { templateForm } from '../../pages/compose/template-form.ts'
import type { Composer } from './composer.ts'

/** A template, or a new version of one, as it is written in a browser. */
export function templateComposer(services: Services): Composer {
  return {
    async page({ principal, locale }, composition, { theirs, refused }) {
      const unit = orNotFound(await findUnit(services.db, composition.unitId), 'unit')
      return templateForm(locale, {
        ...{ unit, composition, theirs, refused },
        categories: (await listCategories(services, { limit: limits.pageSizeMax })).items,
        ...(await check(principal, composition)),
        pictures: picturesOf(services),
      })
    },

    async submit({ principal }, composition) {
      const { body } = templateDescribedBy(composition.form)
      return body && `/templates/${await submitTemplate(services, principal, composition, body)}`
    },

    async preview({ principal }, composition, { channel, locale }) {
      const previews = await previewsOf(principal, composition)
      return previews?.find((one) => one.channel === channel && one.locale === locale) ?? null
    },

    async test() {
      throw new ServiceError('validation_error', 'A template is tried as a message of it.')
    },
  }

  async function previewsOf(
    principal: PersonPrincipal,
    { form, unitId }: Composition,
  ): Promise<Preview[] | null> {
    const { body } = templateDescribedBy(form)
    return body && previewUnsavedTemplate(services, principal, { ...body, unitId }, exampleValues(form))
  }

  /** What recipients would see, or what is to be changed before that can be shown. */
  async function check(principal: PersonPrincipal, composition: Composition) {
    const { issues } = templateDescribedBy(composition.form)
    try {
      return { issues: issues as FieldIssue[], previews: await previewsOf(principal, composition) }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error
      return { issues: issuesOf(error), previews: null }
    }
  }
}
