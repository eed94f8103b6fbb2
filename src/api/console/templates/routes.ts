import type { FastifyInstance, FastifyRequest } from 'fastify'
import { templateStates } from '../../../contract/enums.ts'
import { errorStatus, ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { TemplateListQuery } from '../../../contract/templates/template.ts'
import { localise } from '../../../domain/content/localise.ts'
import { roleRefusal } from '../../../domain/rights/permission.ts'
import { templateKind } from '../../../services/approvals/templates.ts'
import { listCategories } from '../../../services/catalogue/categories.ts'
import type { Services } from '../../../services/context.ts'
import { previewTemplate, previewTemplateEverywhere } from '../../../services/templates/preview.ts'
import { getTemplate, listTemplates } from '../../../services/templates/templates.ts'
import { listTemplateVersions } from '../../../services/templates/versions.ts'
import { beginForm } from '../kit/begin-form.ts'
import type { Page } from '../kit/page.ts'
import { filterIn, idOf, listQuery, searchIn, versionNamed } from '../kit/page-address.ts'
import { type Reader, signedInPages } from '../kit/signed-in-pages.ts'
import { unitIn } from '../kit/unit-in.ts'
import { previewRoute } from '../preview/route.ts'
import { templatesPage } from './list.ts'
import { templatePage, valuePrefix } from './page.ts'
import { templateWords } from './words.ts'

const url = '/templates/:id'
/** Versions that a page shows. */
const versionsShown = 50

/** The pages on which people of a unit see its templates (docs/design/console.md). */
export function templatePageRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'templates', ({ get }) => {
    get('/templates', list)
    get(url, detail)

    previewRoute(get, url, services, ({ principal }, request, variant) => {
      const variables = valuesOf(examplesIn(request))
      return previewTemplate(services, principal, idOf(request), { ...variant, variables })
    })
  })

  async function list({ principal, session, locale }: Reader, request: FastifyRequest): Promise<Page> {
    const unit = await unitIn(services.db, session, request)
    const search = { ...searchIn(request), state: filterIn(request, 'state', templateStates) }
    const page = await listTemplates(services, principal, listQuery(TemplateListQuery, unit, search))
    const all = await listCategories(services, { limit: limits.pageSizeMax })
    const categories = new Map(all.items.map(({ id, name }) => [id, localise(locale, name)]))
    const text = templateWords[locale].begin
    const begin = beginForm(locale, session, unit, [{ type: 'template', text }])
    return templatesPage(locale, { unit, begin }, search, { ...page, categories })
  }

  async function detail({ principal, locale }: Reader, request: FastifyRequest): Promise<Page> {
    const id = idOf(request)
    const { compare } = request.query as { compare?: unknown }
    const examples = examplesIn(request)
    const view = await templateKind.view(services, principal, id, versionNamed(compare))
    return templatePage(locale, {
      view,
      edits: roleRefusal(principal, 'create', view.unit.id) === null,
      detail: await getTemplate(services, principal, id),
      versions: (await listTemplateVersions(services, principal, id, { limit: versionsShown })).items,
      examples,
      previews: await previewTemplateEverywhere(services, principal, id, valuesOf(examples)).catch(
        nullIfRefused,
      ),
    })
  }
}

/** Values that the template cannot take are said on the page, beside what was written. */
function nullIfRefused(error: unknown): null {
  if (!(error instanceof ServiceError)) throw error
  if (error.status === errorStatus.validation_error || error.code === 'not_configured') return null
  throw error
}

/** What was written for each variable. */
function examplesIn({ query }: FastifyRequest): Record<string, string> {
  const entries = Object.entries(query as Record<string, unknown>).flatMap(
    ([name, value]): [string, string][] =>
      name.startsWith(valuePrefix) && typeof value === 'string' && value !== ''
        ? [[name.slice(valuePrefix.length), value]]
        : [],
  )
  return Object.fromEntries(entries)
}

/** A number, list or object as JSON is one; anything else is a text. */
function valuesOf(examples: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(examples).map(([name, text]) => [name, readValue(text)]))
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
