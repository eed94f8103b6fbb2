import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Db } from '../../db/connect.ts'
import { countAudience } from '../../db/queries/audience/count.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import { findGroupNames } from '../../db/queries/catalogue/group.ts'
import { findTemplate, findTemplateText } from '../../db/queries/catalogue/template.ts'
import {
  findBinding,
  findBindings,
  findBindingVersion,
  type EventBinding as Row,
} from '../../db/queries/event/binding.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import type { Snapshot } from '../../domain/audience/audience.ts'
import type { BindingRule } from '../../domain/event/binding-change.ts'
import { isId } from '../../domain/lib/id.ts'
import { actorView } from '../actor.ts'
import { type ValueNames, valueNamesIn } from '../audience-value-names.ts'
import { withCountLimit } from '../count-limit.ts'
import { bindingDecisions, lastChangeOf, ruleOf } from '../events/binding-fields.ts'
import { approveBinding, rejectBinding } from '../events/decide-binding.ts'
import { picturesOf } from '../media/pictures-in.ts'
import { trackedAddress } from '../messages/track-links.ts'
import { findInUnits, orNotFound, unitsOf } from '../unit-access.ts'
import { type Kind, noPattern, noSend, type ViewHead } from './kind.ts'
import { namedByButtons, namesOf } from './names.ts'
import { type ShownScenario, shownScenario } from './scenarios.ts'

/** The template of a binding in the version in force, with the names of what its buttons name, by id. */
type ShownTemplate = {
  name: string
  version: number
  messages: CanonicalMessage[]
  names: Map<string, string>
}

/** What a version of a binding says. `template` or `scenario`: what its events use now; null: none. */
export type BindingSide = {
  rule: BindingRule
  category: LocalisedText
  template: ShownTemplate | null
  scenario: ShownScenario | null
}

/** A version of an event binding as its approver sees it. */
export type BindingView = ViewHead<'event_binding'> &
  BindingSide & {
    /** Whom a query would reach now; null for the subjects of the event. */
    recipients: Snapshot['recipients'] | null
    /** The version to compare it with: the one that was shown, or the one in force; null: there is none. */
    before: (BindingSide & { version: number }) | null
    /** The names of the groups that the audiences name, by id. */
    groups: Map<string, string>
    valueNames: ValueNames
  }

/** Versions of event bindings that wait for an approver. */
export const bindingKind: Kind<BindingView> = {
  async list({ db }, principal, ids) {
    const rows = await findBindings(db, ids, unitsOf(principal))
    const waiting = rows.filter(({ newest }) => newest.state === 'submitted')
    return Promise.all(
      waiting.map(async (row) => ({
        id: row.id,
        version: row.newest.version,
        title: titleOf(row),
        author: actorView(row.newest.created_by, row.newest.createdByName),
        ...noPattern,
        ...noSend,
        allowed: await bindingDecisions(db, principal, row),
      })),
    )
  },

  async view(services, principal, id, shownVersion) {
    const { db } = services
    const row = await findInUnits(db, principal, id, 'event binding', findBinding)
    const { newest, inForce, unit_id: unitId } = row
    const { version, state, decided_by: decidedBy, reason } = newest
    const rule = ruleOf(newest)
    const waits = state === 'submitted'
    const earlier =
      shownVersion !== undefined && shownVersion < version
        ? await findBindingVersion(db, row.id, shownVersion)
        : undefined
    const base = earlier ?? (inForce && inForce.version !== version ? inForce : null)
    const category = orNotFound(await findCategory(db, rule.categoryId), 'category')
    const before = base && { version: base.version, ...(await sideOf(db, unitId, ruleOf(base))) }
    const last = lastChangeOf(newest)
    const rules = [rule, ...(before ? [before.rule] : [])]
    return {
      kind: 'event_binding',
      id: row.id,
      version,
      title: titleOf(row),
      unit: orNotFound(await findUnit(db, unitId), 'unit'),
      category: category.name,
      trackedAddress: trackedAddress(services, category.links),
      pictures: picturesOf(services),
      author: actorView(newest.created_by, newest.createdByName),
      since: waits ? newest.created_at.toISOString() : null,
      allowed: await bindingDecisions(db, principal, row),
      outcome: waits
        ? null
        : {
            state,
            by: decidedBy === null ? null : actorView(decidedBy, newest.decidedByName),
            at: last.at,
            reason: reason ?? undefined,
          },
      rule,
      template: await templateIn(db, unitId, rule),
      scenario: await scenarioIn(db, unitId, rule),
      recipients: waits ? await peopleOf(db, unitId, rule, category) : null,
      before,
      groups: await groupNames(db, unitId, rules),
      valueNames: await valueNamesIn(
        db,
        rules.map(({ audience }) => audience),
      ),
    }
  },

  approve: (services, principal, id, version) => approveBinding(services, principal, id, { version }),
  reject: (services, principal, id, rejection) => rejectBinding(services, principal, id, rejection),
}

function titleOf({ newest: { source, type } }: Row): LocalisedText {
  return { 'zh-TW': `${source} 的事件 ${type}`, en: `Events ${type} of ${source}` }
}

async function sideOf(db: Db, unitId: string, rule: BindingRule): Promise<BindingSide> {
  const category = orNotFound(await findCategory(db, rule.categoryId), 'category')
  const [template, scenario] = [await templateIn(db, unitId, rule), await scenarioIn(db, unitId, rule)]
  return { rule, category: category.name, template, scenario }
}

async function groupNames(db: Db, unitId: string, rules: BindingRule[]): Promise<Map<string, string>> {
  const ids = rules.flatMap(({ audience }) =>
    audience.kind === 'query' ? [...(audience.groups ?? []), ...(audience.exclude?.groups ?? [])] : [],
  )
  return findGroupNames(db, unitId, ids.filter(isId))
}

async function templateIn(
  db: Db,
  unitId: string,
  { templateId }: BindingRule,
): Promise<BindingView['template']> {
  const template = templateId === null ? undefined : await findTemplate(db, templateId, [unitId])
  const text = template && (await findTemplateText(db, template.id, template.inForce))
  if (!template || !text) return null
  const { messages } = text
  const names = await namesOf(db, unitId, namedByButtons(messages))
  return { name: template.name, version: template.inForce, messages, names }
}

async function scenarioIn(
  db: Db,
  unitId: string,
  { scenarioId }: BindingRule,
): Promise<ShownScenario | null> {
  return scenarioId === null ? null : ((await shownScenario(db, unitId, scenarioId)) ?? null)
}

/** One count of people, as a dry-run of a message makes it. */
async function peopleOf(
  db: Db,
  unitId: string,
  { audience }: BindingRule,
  { id: categoryId, channelPlan: plan, layer, consentScope, frequencyCap }: Category,
): Promise<Snapshot['recipients'] | null> {
  if (audience.kind !== 'query') return null
  const spec = { unitId, audience, plan, categoryId, layer, consentScope, topicId: null, frequencyCap }
  return withCountLimit(unitId, () => countAudience(db, spec))
}
