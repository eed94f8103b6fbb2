import { channelFacts } from '../../../channels/facts/by-channel.ts'
import { keysOf, type Locale, locales } from '../../../contract/enums.ts'
import type { Graph } from '../../../contract/scenarios/graph.ts'
import { localise } from '../../../domain/content/localise.ts'
import { canonicalJson } from '../../../domain/lib/canonical-json.ts'
import { triggersOf } from '../../../domain/scenario/activation.ts'
import { edgesFrom } from '../../../domain/scenario/edges.ts'
import type { ScenarioSide, ScenarioView } from '../../../services/approvals/scenarios.ts'
import { numberOf } from '../kit/format.ts'
import { type Compared, changeLines, comparedLines, textsIn } from './changes.ts'
import { type Fact, whoAndWhen } from './fact.ts'
import { turnLinkLines } from './link-lines.ts'
import { patternLines } from './pattern-lines.ts'
import { comparedSections, lookupLine, type Reading, timeText, triggerLines } from './scenario-lines.ts'
import { scenarioWords } from './scenario-words.ts'
import { startLine } from './schedule-lines.ts'
import { variableLines } from './template-facts.ts'
import { factWords } from './words.ts'

/** A version of a scenario. */
export function scenarioFacts(locale: Locale, view: ScenarioView): Fact[] {
  const words = factWords[locale]
  const ours = scenarioWords[locale]
  const { now, before, since, inForce, version, reason, cost, staysPaused } = view
  const { content } = now
  const turnsText = numberOf(locale, cost.maxTurns)
  const lookups = content.nodes.flatMap((node) => (node.kind === 'lookup' ? [lookupLine(locale, node)] : []))
  const jumps = content.nodes.some(({ kind }) => kind === 'jump') ? [ours.jumpsCost] : []
  const rounds = cost.loops ? [ours.roundsCost] : []
  const farewell = content.farewell === undefined ? [] : [ours.farewell.cost]
  return [
    ['why', reason === null ? [] : [ours.reasons[reason]]],
    [
      'version',
      [words.versionOf(String(version), inForce === null || inForce === version ? null : String(inForce))],
    ],
    ['changed', before ? changeLines(locale, before.version, scenarioChanges(locale, view, before)) : []],
    ['purpose', content.description === undefined ? [] : [content.description]],
    ['pattern', view.pattern ? patternLines(locale, view.unit.timeZone, view.pattern) : []],
    ['triggers', startLines(locale, view)],
    ['lookups', [...new Set(lookups)]],
    ['variables', variableLines(locale, { variables: content.variables ?? [] })],
    [
      'cost',
      [
        ...view.channels.map((channel) => channelFacts[channel].names[locale].turns(turnsText)),
        ...jumps,
        ...rounds,
        ...farewell,
      ],
    ],
    ['late', lateLines(locale, content)],
    ['links', turnLinkLines(locale, view, now)],
    ['warnings', view.warnings.map(({ message }) => localise(locale, message))],
    ['effect', since === null ? [] : [words.effect.scenario, ...(staysPaused ? [ours.staysPaused] : [])]],
    ...whoAndWhen(locale, view),
  ]
}

/** What starts it: schedules that are there now, and what the version says of triggers. */
function startLines(locale: Locale, { now: { content }, schedules, unit }: ScenarioView): string[] {
  const planned = schedules.map((schedule) => startLine(locale, unit.timeZone, schedule))
  const byItself = triggersOf(content.triggers).length > 0
  return [...planned, ...(byItself || planned.length === 0 ? triggerLines(locale, content) : [])]
}

function lateLines(locale: Locale, { lateSeconds }: ScenarioSide['content']): string[] {
  return lateSeconds === undefined ? [] : [scenarioWords[locale].late(timeText(locale, lateSeconds))]
}

/** What two versions of a scenario are compared by: its facts, each node that either of them has, and their order. */
function scenarioChanges(
  locale: Locale,
  { now, unit, names, keysReply }: ScenarioView,
  before: ScenarioSide,
): Compared[] {
  const words = factWords[locale]
  const reading = { locale, timeZone: unit.timeZone, names, keysReply }
  const [old, fresh] = [comparedFacts(locale, before), comparedFacts(locale, now)]
  const ids = [...new Set([...before.content.nodes, ...now.content.nodes].map(({ id }) => id))]
  return [
    ...keysOf(fresh).map((label) => ({ what: words.labels[label], before: old[label], now: fresh[label] })),
    ...ids.map((id) => ({ what: id, before: nodeIn(reading, before, id), now: nodeIn(reading, now, id) })),
    ...orderChanges(locale, before, now, ids),
  ]
}

function comparedFacts(locale: Locale, { name, category, categoryId, content }: ScenarioSide) {
  const { description, triggers, variables = [], lateSeconds, farewell } = content
  return {
    name: { stored: name, sections: [[name]] },
    category: { stored: categoryId, sections: [[localise(locale, category)]] },
    purpose: { stored: description, sections: [description === undefined ? [] : [description]] },
    triggers: { stored: triggers, sections: [triggerLines(locale, content)] },
    variables: { stored: variables, sections: [variableLines(locale, { variables })] },
    late: { stored: lateSeconds, sections: [lateLines(locale, content)] },
    farewell: { stored: farewell, sections: locales.map((language) => textsIn(farewell, language)) },
  }
}

/** A node with the edges that leave it, in their order: the first that holds is followed. */
function nodeIn(reading: Reading, { content }: ScenarioSide, id: string): Compared['now'] {
  const node = content.nodes.find((one) => one.id === id)
  if (!node) return { stored: undefined, sections: [] }
  return {
    stored: [node, edgesFrom(content.edges, id)],
    sections: comparedSections(reading, content, node),
  }
}

/** The step that is the first, and the order in which nodes and edges that both versions have are written. */
function orderChanges(
  locale: Locale,
  { content: before }: ScenarioSide,
  { content: now }: ScenarioSide,
  ids: string[],
): Compared[] {
  const { order } = scenarioWords[locale]
  const first = comparedLines(order.first, [before.nodes[0]!.id], [now.nodes[0]!.id])
  const common = ids.filter((id) => [before, now].every(({ nodes }) => nodes.some((one) => one.id === id)))
  const nodesOf = ({ nodes }: Graph) => nodes.map(({ id }) => id).filter((id) => common.includes(id))
  const steps = comparedLines(order.steps, nodesOf(before), nodesOf(now))
  const sameEdges = ids.every(
    (id) => canonicalJson(edgesFrom(before.edges, id)) === canonicalJson(edgesFrom(now.edges, id)),
  )
  const edgesOf = ({ edges }: Graph) => (sameEdges ? edges.map(({ from, to }) => `${from} → ${to}`) : [])
  return [first, steps, comparedLines(order.edges, edgesOf(before), edgesOf(now))]
}
