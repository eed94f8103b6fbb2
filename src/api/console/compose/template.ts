import { limits } from '../../../contract/limits.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import { CreateTemplate } from '../../../contract/templates/template.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { listCategories } from '../../../services/catalogue/categories.ts'
import { submitTemplate } from '../../../services/compositions/submit-template.ts'
import type { Services } from '../../../services/context.ts'
import { picturesOf } from '../../../services/media/pictures-in.ts'
import { previewUnsavedTemplate } from '../../../services/templates/preview.ts'
import { type Composer, type DraftForm, writerOf } from './composer.ts'
import { drawWithStandIns } from './draw.ts'
import { type FieldIssue, readAs } from './form/parse-form.ts'
import { exampleValues, missingLabels, parseTemplateForm, templateInput } from './form/template-body.ts'
import { templateForm } from './template-form.ts'

/** A template, or a new version of one, as it is written in a browser. */
export function templateComposer(services: Services): Composer {
  return {
    async page(reader, draft, notices) {
      const { principal, locale } = reader
      return templateForm(locale, {
        ...{ ...notices, ...draft, ...writerOf(reader) },
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
      const { previews } = await check(principal, draft)
      return previews.find((one) => one.channel === channel && one.locale === locale) ?? null
    },
  }

  /** What recipients would see, with stand-ins for what is missing, and all that is to be changed. */
  async function check(
    principal: PersonPrincipal,
    { composition: { form }, unit }: DraftForm,
  ): Promise<TemplateCheck> {
    const values = exampleValues(form)
    const { result, issues } = await drawWithStandIns(templateInput(form), {
      read: (input) => readAs(CreateTemplate, input, form),
      draw: (body) => previewUnsavedTemplate(services, principal, { ...body, unitId: unit.id }, values),
    })
    return { issues: [...missingLabels(form), ...issues], previews: result ?? [] }
  }
}

type TemplateCheck = { issues: readonly FieldIssue[]; previews: readonly Preview[] }
