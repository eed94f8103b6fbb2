import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Preview } from '../../contract/messages/dry-run.ts'
import type { Template } from '../../contract/templates/template.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import { findTemplate, findTemplates, findTemplateText } from '../../db/queries/catalogue/template.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import { decisionsOn } from '../../domain/rights/allowed-decision.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { actorView } from '../actor.ts'
import type { Services } from '../context.ts'
import { picturesOf } from '../media/pictures-in.ts'
import { trackedAddress } from '../messages/track-links.ts'
import { approveTemplate, rejectTemplate } from '../templates/decide.ts'
import { previewTemplateEverywhere } from '../templates/preview.ts'
import { templateFacts, templateOf } from '../templates/templates.ts'
import { findInUnits, orNotFound, unitsOf } from '../unit-access.ts'
import { type Kind, noPattern, noSend, type ViewHead } from './kind.ts'
import { namedByButtons, namesOf } from './names.ts'

type Text = Pick<Template, 'subject' | 'messages' | 'variables'>

/** A version of a template as its approver sees it. */
export type TemplateView = ViewHead<'template'> & {
  template: Template
  /** The names of the groups and scenarios that the buttons of both versions name, by id. */
  names: Map<string, string>
  /** What recipients see, with the names of variables in place of values that have no default; empty once it
   * is decided, or where it cannot be drawn. */
  previews: Preview[]
  /** The version to compare it with: the one that was shown, or the one in force; null: it is the first. */
  before: (Text & { version: number }) | null
}

/** Versions of templates that wait for an approver. */
export const templateKind: Kind<TemplateView> = {
  async list({ db }, principal, ids) {
    const rows = await findTemplates(db, ids, unitsOf(principal))
    return rows
      .filter(({ state }) => state === 'draft')
      .map((row) => ({
        id: row.id,
        version: row.version,
        title: titleOf(row.name),
        author: actorView(row.createdBy, row.createdByName),
        ...noPattern,
        ...noSend,
        allowed: decisionsOn(principal, 'template', templateFacts(row)),
      }))
  },

  async view(services, principal, id, shownVersion) {
    const { db } = services
    const row = await findInUnits(db, principal, id, 'template', findTemplate)
    const template = templateOf(row)
    const { version, state, decision } = template
    const base = shownVersion !== undefined && shownVersion < version ? shownVersion : template.inForce
    const before = base === version ? undefined : await findTemplateText(db, row.id, base)
    const category = orNotFound(await findCategory(db, row.categoryId), 'category')
    return {
      kind: 'template',
      id: row.id,
      version,
      title: titleOf(row.name),
      unit: orNotFound(await findUnit(db, row.unitId), 'unit'),
      category: category.name,
      trackedAddress: trackedAddress(services, category.links),
      pictures: picturesOf(services),
      author: template.author,
      since: state === 'draft' ? template.createdAt : null,
      allowed: decisionsOn(principal, 'template', templateFacts(row)),
      outcome: state === 'draft' ? null : { state, by: null, at: null, ...decision },
      template,
      names: await namesOf(
        db,
        row.unitId,
        namedByButtons([...template.messages, ...(before?.messages ?? [])]),
      ),
      previews: state === 'draft' ? await previewsOf(services, principal, row.id) : [],
      before: before ? { version: base, ...before } : null,
    }
  },

  approve: (services, principal, id, version) => approveTemplate(services, principal, id, { version }),
  reject: (services, principal, id, rejection) => rejectTemplate(services, principal, id, rejection),
}

async function previewsOf(services: Services, principal: PersonPrincipal, id: string): Promise<Preview[]> {
  try {
    return await previewTemplateEverywhere(services, principal, id, {})
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}

/** A template has one name, whatever the language. */
function titleOf(name: string): LocalisedText {
  return { 'zh-TW': name }
}
