import type { ActivationReason } from '../../contract/enums.ts'
import { activationReasons, isOneOf } from '../../contract/enums.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { Scenario, ScenarioItem, ScenarioVersion } from '../../contract/scenarios/scenario.ts'
import type { Db } from '../../db/connect.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import {
  findScenarios,
  findTriggerHolders,
  type ScenarioItem as ItemRow,
  type Scenario as Row,
  type ScenarioVersionFacts,
  type ScenarioVersion as VersionRow,
} from '../../db/queries/scenario/scenario.ts'
import { findShortStart } from '../../db/queries/scenario-run/start-end.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import { isId } from '../../domain/lib/id.ts'
import { type Decisions, decisionsOn, type VersionFacts } from '../../domain/rights/allowed-decision.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { triggersOf } from '../../domain/scenario/activation.ts'
import { jumpTargets } from '../../domain/scenario/node-texts.ts'
import { versionWarnings } from '../../domain/scenario/version-warnings.ts'
import { actorView } from '../actor.ts'
import { orNotFound } from '../unit-access.ts'
import { type Leads, leadsOf } from './jumps.ts'

/** A scenario as the API returns it. */
export async function scenarioOf(db: Db, principal: Principal, row: Row): Promise<Scenario> {
  const category = orNotFound(await findCategory(db, row.categoryId), 'category')
  const [item] = await itemsOf(db, principal, [row])
  const leads = await leadsOf(db, row)
  const short = await findShortStart(db, row.id)
  return {
    ...item!,
    ...contentOf(row.content),
    warnings: await warningsOf(db, row, category, leads),
    cost: leads.cost,
    ...(short && { shortStart: { ...short, startedAt: short.startedAt.toISOString() } }),
  }
}

/** A version, stored or not. `id`: of its scenario; null: it is not stored. */
type Warned = Pick<Row, 'unitId' | 'content'> & { id: string | null }

/** What may surprise the author of a version in this category. */
export async function warningsOf(
  db: Db,
  version: Warned,
  { channelPlan }: Pick<Category, 'channelPlan'>,
  { problems }: Leads,
): Promise<Violation[]> {
  const inactive = await inactiveJumps(db, version)
  return versionWarnings(version.content, { channels: channelPlan.channels, inactive, jumps: problems })
}

/** The scenarios that a version leads to and that are not active now. */
async function inactiveJumps(db: Db, { id, unitId, content }: Warned): Promise<Set<string>> {
  const others = jumpTargets(content.nodes).map((target) => target.id)
  const ids = [...new Set(others)].filter((target) => target !== id && isId(target))
  if (ids.length === 0) return new Set()
  const rows = await findScenarios(db, ids, [unitId])
  return new Set(rows.filter(({ state }) => state !== 'active').map((row) => row.id))
}

/** Scenarios as lists return them: with their content, where they were read with it. */
export async function itemsOf(
  db: Db,
  principal: Principal,
  rows: readonly (ItemRow & Partial<Pick<Row, 'content'>>)[],
): Promise<ScenarioItem[]> {
  const decisions = await decisionsAbout(db, principal, rows)
  return rows.map((row) => ({
    id: row.id,
    unitId: row.unitId,
    state: row.shown,
    canStart: row.canStart,
    paused: row.state === 'paused',
    inForce: row.inForce,
    ...factsOf(row),
    ...(row.content && contentOf(row.content)),
    allowed: decisions.get(row.id)!,
  }))
}

/** What the caller may decide about the newest version of each of these scenarios, by id. */
export async function decisionsAbout(
  db: Db,
  principal: Principal,
  rows: readonly ItemRow[],
): Promise<Map<string, Decisions>> {
  const wanted = rows.filter(waits).flatMap(({ triggers }) => triggersOf(triggers))
  const holders = wanted.length === 0 ? [] : await findTriggerHolders(db, wanted)
  const takenOf = ({ id, triggers }: ItemRow) =>
    triggersOf(triggers).filter((one) =>
      holders.some(({ trigger, scenarioId }) => trigger === one && scenarioId !== id),
    )
  return new Map(
    rows.map((row) => [row.id, decisionsOn(principal, 'scenario', scenarioFacts(row, takenOf(row)))]),
  )
}

/**
 * What decides who may decide about the newest version of a scenario. `takenTriggers`: those of its triggers that another
 * scenario has; a call finds that out when it writes.
 */
export function scenarioFacts(row: ItemRow, takenTriggers: string[] = []): VersionFacts {
  const { unitId, version, authors, categoryEnabled } = row
  const last = lastChangeOf(row)
  return { unitId, version, waits: waits(row), last, authors, takenTriggers, categoryEnabled }
}

function waits({ versionState }: ItemRow): boolean {
  return versionState === 'submitted'
}

/** The state of the newest version, and who gave it that state and when: the details of invalid_transition. */
export function lastChangeOf({
  versionState,
  decidedBy,
  decidedAt,
  createdBy,
  createdAt,
}: ScenarioVersionFacts) {
  return { state: versionState, by: decidedBy ?? createdBy, at: (decidedAt ?? createdAt).toISOString() }
}

/** A version as the API returns it. */
export function versionOf(row: VersionRow): ScenarioVersion {
  return { ...factsOf(row), ...contentOf(row.content) }
}

function contentOf(content: ScenarioContent) {
  return { ...content, variables: content.variables ?? [] }
}

function factsOf(row: ScenarioVersionFacts) {
  const { version, versionState, autoApproved, name, categoryId } = row
  return {
    version,
    versionState,
    autoApproved,
    name,
    categoryId,
    author: actorView(row.createdBy, row.createdByName),
    createdAt: row.createdAt.toISOString(),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    reason: versionState === 'submitted' ? activationReasonIn(row.reason) : null,
    decision: row.decidedBy && row.decidedAt ? decisionOf(row, row.decidedBy, row.decidedAt) : null,
  }
}

function activationReasonIn(reason: string | null): ActivationReason | null {
  return reason !== null && isOneOf(activationReasons, reason) ? reason : null
}

function decisionOf(row: ScenarioVersionFacts, by: string, at: Date): ScenarioVersion['decision'] {
  return {
    by: actorView(by, row.decidedByName),
    at: at.toISOString(),
    ...(row.reason && { reason: row.reason }),
  }
}
