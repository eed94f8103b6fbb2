import { limits } from '../../../contract/limits.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { listCategories } from '../../../services/catalogue/categories.ts'
import { submitTemplate } from '../../../services/compositions/submit-template.ts'
import type { Services } from '../../../services/context.ts'
import { picturesOf } from '../../../services/media/pictures-in.ts'
import { previewUnsavedTemplate } from '../../../services/templates/preview.ts'
import type { Composer, DraftForm } from './composer.ts'
import { type FieldIssue, issuesIn } from './form/parse-form.ts'
import { exampleValues, parseTemplateForm } from './form/template-body.ts'
import { templateForm } from './template-form.ts'

/** A template, or a new version of one, as it is written in a browser. */
export function templateComposer(services: Services): Composer {
  return {
    async page({ principal, locale }, draft, notices) {
      return templateForm(locale, {
        ...{ ...notices, ...draft, personId: principal.personId },
        categories: (await listCategories(services, { limit: limits.pageSizeMax })).items,
        ...(await check(principal, draft)),
        pictures: picturesOf(services),
      })
    },

    async submit({ principal }, { composition }) {
      const { body } = parseTemplateForm(composition.form)
      return body && submitTemplate(services, principal, composition, body)
    },

    addressOf: (id) => `/templates/${id}`,

    async preview({ principal }, draft, { channel, locale }) {
      const { previews } = await previewsOf(principal, draft)
      return previews?.find((one) => one.channel === channel && one.locale === locale) ?? null
    },
  }

  /** What recipients would see, or what is to be changed before that can be shown. */
  async function check(principal: PersonPrincipal, draft: DraftForm): Promise<TemplateCheck> {
    try {
      return await previewsOf(principal, draft)
    } catch (error) {
      return { issues: issuesIn(error), previews: null }
    }
  }

  /** @throws ServiceError */
  async function previewsOf(
    principal: PersonPrincipal,
    { composition: { form }, unit }: DraftForm,
  ): Promise<TemplateCheck> {
    const { body, issues } = parseTemplateForm(form)
    if (!body) return { issues, previews: null }
    const values = exampleValues(form)
    const unsaved = { ...body, unitId: unit.id }
    return { issues, previews: await previewUnsavedTemplate(services, principal, unsaved, values) }
  }
}

type TemplateCheck = { issues: readonly FieldIssue[]; previews: readonly Preview[] | null }
