import type { ActivationReason, Channel } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Pattern } from '../../contract/patterns/pattern.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { Scenario } from '../../contract/scenarios/scenario.ts'
import type { Schedule } from '../../contract/schedules/schedule.ts'
import type { Db } from '../../db/connect.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import { keysMayReply } from '../../db/queries/identity/key.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import { findPatternOf } from '../../db/queries/pattern/pattern.ts'
import {
  findScenario,
  findScenarios,
  findScenarioVersion,
  type ScenarioVersion,
} from '../../db/queries/scenario/scenario.ts'
import { findSchedulesStarting } from '../../db/queries/schedule/schedule.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import type { StartCost } from '../../domain/scenario/jumps.ts'
import { textsOf } from '../../domain/scenario/node-texts.ts'
import { actorView } from '../actor.ts'
import { picturesOf } from '../media/pictures-in.ts'
import { trackedAddress } from '../messages/track-links.ts'
import { newestPatternOf } from '../patterns/patterns.ts'
import { type DrawnConversation, playedPattern } from '../patterns/play.ts'
import { approveScenario, rejectScenario } from '../scenarios/decide.ts'
import { decisionsAbout, lastChangeOf, scenarioOf } from '../scenarios/view.ts'
import { scheduleOf } from '../schedules/read.ts'
import { findInUnits, orNotFound, unitsOf } from '../unit-access.ts'
import { type Kind, noSend, type ViewHead } from './kind.ts'
import { namedByButtons, namesOf } from './names.ts'

/** What a version of a scenario says. */
export type ScenarioSide = {
  scenarioId: string
  version: number
  name: string
  categoryId: string
  category: LocalisedText
  content: ScenarioContent
}

/** A version of a scenario as its approver sees it. */
export type ScenarioView = ViewHead<'scenario'> & {
  now: ScenarioSide
  /** The version to compare it with: the one that was shown, or the one in force; null: there is none. */
  before: ScenarioSide | null
  /** The version that new runs follow now; null: none. */
  inForce: number | null
  /** Whether the scenario stays paused after an approval. */
  staysPaused: boolean
  /** Why a person decides; null: it does not wait. */
  reason: ActivationReason | null
  /** The channels on which it speaks, and what one start says at most, with all that its jumps begin. */
  channels: readonly Channel[]
  cost: StartCost
  warnings: Violation[]
  /** A large start that failed with too many. */
  shortStart: Scenario['shortStart']
  /** The schedules that start it, those that are disabled as well. */
  schedules: Schedule[]
  /** The pattern that generated it; null: it was written. */
  pattern: Pattern | null
  /** Its conversation as it is played; empty: it belongs to no pattern, or cannot be played. */
  played: DrawnConversation[]
  /** Whether a key of the unit may reply in its handoffs. */
  keysReply: boolean
  /** The names of the groups and scenarios that the graph names, by id. */
  names: Map<string, string>
}

/** Versions of scenarios that wait for an approver. */
export const scenarioKind: Kind<ScenarioView> = {
  async list({ db }, principal, ids) {
    const rows = await findScenarios(db, ids, unitsOf(principal))
    const waiting = rows.filter(({ versionState }) => versionState === 'submitted')
    const decisions = await decisionsAbout(db, principal, waiting)
    return waiting.map((row) => ({
      id: row.id,
      version: row.version,
      title: row.pattern?.title ?? titleOf(row.name),
      pattern: row.pattern?.type ?? null,
      author: actorView(row.createdBy, row.createdByName),
      ...noSend,
      allowed: decisions.get(row.id)!,
    }))
  },

  async view(services, principal, id, shownVersion) {
    const { db } = services
    const row = await findInUnits(db, principal, id, 'scenario', findScenario)
    const scenario = await scenarioOf(db, principal, row)
    const { version, versionState, unitId, inForce } = row
    const waits = versionState === 'submitted'
    const base = shownVersion !== undefined && shownVersion < version ? shownVersion : inForce
    const before = base === null || base === version ? undefined : await findScenarioVersion(db, row.id, base)
    const category = orNotFound(await findCategory(db, row.categoryId), 'category')
    const { decidedByName, reason } = row
    const last = lastChangeOf(row)
    const schedules = await findSchedulesStarting(db, unitId, row.id)
    const patternRow = await findPatternOf(db, row.id)
    const pattern = patternRow ? newestPatternOf(patternRow, Date.now()) : null
    return {
      kind: 'scenario',
      id: row.id,
      version,
      title: row.pattern?.title ?? titleOf(row.name),
      unit: orNotFound(await findUnit(db, unitId), 'unit'),
      category: category.name,
      trackedAddress: trackedAddress(services, category.links),
      pictures: picturesOf(services),
      author: scenario.author,
      since: waits ? scenario.submittedAt : null,
      allowed: scenario.allowed,
      outcome: waits
        ? null
        : {
            state: versionState,
            by: row.decidedBy === null ? null : actorView(row.decidedBy, decidedByName),
            at: last.at,
            reason: reason ?? undefined,
          },
      now: sideOf(row.id, row, category),
      before: before
        ? sideOf(row.id, before, orNotFound(await findCategory(db, before.categoryId), 'category'))
        : null,
      inForce,
      staysPaused: row.state === 'paused' && !row.resumes,
      reason: scenario.reason,
      channels: category.channelPlan.channels,
      cost: scenario.cost,
      warnings: scenario.warnings,
      shortStart: scenario.shortStart,
      schedules: schedules.map((schedule) => scheduleOf(schedule, principal)),
      pattern,
      played: waits && pattern ? await playedPattern(services, principal, pattern, row) : [],
      keysReply: await keysMayReply(db, unitId),
      names: await namesIn(db, unitId, [row.content, ...(before ? [before.content] : [])]),
    }
  },

  approve: (services, principal, id, version) => approveScenario(services, principal, id, { version }),
  reject: (services, principal, id, rejection) => rejectScenario(services, principal, id, rejection),
}

/** A scenario has one name, whatever the language. */
function titleOf(name: string): LocalisedText {
  return { 'zh-TW': name }
}

/** A scenario that events start: the version in force or, while there is none, the newest. */
export type ShownScenario = Pick<ScenarioView, 'now' | 'names' | 'keysReply'> & { inForce: boolean }

/** The scenario of a unit as the approver of its binding sees it. */
export async function shownScenario(
  db: Db,
  unitId: string,
  scenarioId: string,
): Promise<ShownScenario | undefined> {
  const row = await findScenario(db, scenarioId, [unitId])
  const version = row && (await findScenarioVersion(db, row.id, row.inForce ?? row.version))
  if (!version) return undefined
  const category = orNotFound(await findCategory(db, version.categoryId), 'category')
  const names = await namesIn(db, unitId, [version.content])
  const keysReply = await keysMayReply(db, unitId)
  return { now: sideOf(row.id, version, category), inForce: row.inForce !== null, names, keysReply }
}

function sideOf(
  scenarioId: string,
  { version, name, categoryId, content }: ScenarioVersion,
  category: Category,
): ScenarioSide {
  return { scenarioId, version, name, categoryId, category: category.name, content }
}

/** The names of the groups and scenarios that nodes and buttons name. */
async function namesIn(db: Db, unitId: string, contents: ScenarioContent[]): Promise<Map<string, string>> {
  const nodes = contents.flatMap((content) => content.nodes)
  const buttons = namedByButtons(textsOf(nodes).flatMap(({ messages }) => messages))
  const joined = nodes.flatMap((node) => (node.kind === 'addToGroup' ? [node.groupId] : []))
  const jumps = nodes.flatMap((node) => (node.kind === 'jump' ? [node.scenarioId] : []))
  return namesOf(db, unitId, {
    groups: [...joined, ...buttons.groups],
    scenarios: [...jumps, ...buttons.scenarios],
  })
}
