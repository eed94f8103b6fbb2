import { adapters } from '../../channels/index.ts'
import type { Channel } from '../../contract/enums.ts'
import type { CreatePattern } from '../../contract/patterns/pattern.ts'
import { broken } from '../../contract/rules.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { TurnContext } from '../../db/queries/scenario-run/turn.ts'
import {
  hasLiquid,
  parseText,
  reasonOf,
  renderedLengthMax,
  unlessElsewhere,
} from '../../domain/content/liquid.ts'
import {
  type Filling,
  type Render,
  type Rendering,
  render,
  type TemplateText,
} from '../../domain/content/render.ts'
import { messageMeter, type RenderMeter, stepsOf } from '../../domain/content/render-steps.ts'
import { checkTemplate } from '../../domain/content/template-check.ts'
import { mapTexts } from '../../domain/content/texts.ts'
import { type Advance, advance, type RunFacts, runContext } from '../../domain/scenario/advance.ts'
import type { NodeMessages } from '../../domain/scenario/deliverable-channels.ts'
import { textsOf } from '../../domain/scenario/node-texts.ts'
import { type Opening, openingOf } from '../../domain/scenario/opening.ts'
import { isPublic } from '../../domain/scenario/public-text.ts'
import { type SimulationInput, type SimulationWorld, simulate } from '../../domain/scenario/simulate.ts'
import type { RunContext, RunValues } from '../../domain/scenario/values.ts'
import { type Speech, undeliverableAt } from '../../domain/scenario/walk.ts'
import { textIssues } from '../patterns/text-issues.ts'
import { channelsAmong } from '../scenario-runs/compile-turn.ts'
import type { Issue } from '../validation-error.ts'

/**
 * Everything that reads or renders what users write. Each is pure, and takes and returns plain data, so that it may run on
 * any thread; one holds all texts of a message, a step of a run or a check.
 */
export const tasks = {
  template: ({ template, ...filling }: TemplateTask, meter: RenderMeter): Rendering =>
    render(template, filling, meter),

  checkTemplate: (
    { template, variables }: Pick<TemplateTask, 'template' | 'variables'>,
    meter: RenderMeter,
  ): Issue[] => checkTemplate(template, variables, meter),

  checkScenario: ({ nodes }: { nodes: readonly ScenarioNode[] }, meter: RenderMeter): Issue[] =>
    liquidFaults(nodes, meter),

  checkPattern: ({ design }: { design: CreatePattern }, meter: RenderMeter): Issue[] =>
    textIssues(design, meter),

  advance: ({ facts, now, ...voice }: RunTask, meter: RenderMeter): Advance =>
    advance(facts, now, onPage(facts, speechOf(voice, meter))),

  opening: ({ graph, values, context, now, timeZone }: OpeningTask, meter: RenderMeter): Opening =>
    openingOf(graph, values, context, now, { render: renderIn(timeZone, meter) }),

  unsaid: (
    { nodes, facts, now, ...voice }: UndeliverableTask,
    meter: RenderMeter,
  ): ReturnType<typeof undeliverableAt>[] =>
    nodes.map((node) => {
      const speech = eachChannelAlone(voice, meter)
      return undeliverableAt(facts.scenario.graph, node, facts.values, runContext(facts, now), speech)
    }),

  simulate: ({ graph, input, world, plan, ...voice }: SimulateTask, meter: RenderMeter) => {
    const speech = speechOf({ ...voice, plan }, meter)
    const { says, ...way } = simulate(graph, input, { ...world, speech })
    return {
      ...way,
      says: says.map((one) => ({ ...one, channel: channelOf(one, plan, speech) })),
      tooManySteps: meter.exceeded ? stepsOf(meter.most) : null,
    }
  },
}

type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0]
export type TaskOutput<Name extends TaskName> = ReturnType<Tasks[Name]>

type TemplateTask = Filling & { template: TemplateText }

/** How what is said is checked. `plan`: by which channels it may be said; `configured`: those of this installation. */
type Voice = { speaking: TurnContext; plan: readonly Channel[]; configured: readonly Channel[] }
type RunTask = Voice & { facts: RunFacts; now: number }
type UndeliverableTask = RunTask & { nodes: readonly string[] }
type SimulateTask = Voice & {
  graph: Parameters<typeof simulate>[0]
  input: SimulationInput
  world: Omit<SimulationWorld, 'speech'>
}

type OpeningTask = {
  timeZone: string
  graph: Parameters<typeof openingOf>[0]
  values: RunValues
  context: RunContext
  now: number
}

/** A page carries everything that reads the same for everybody, also a question without options. */
function onPage({ onPage: reads, scenario: { graph } }: RunFacts, speech: Required<Speech>): Speech {
  if (!reads) return speech
  return {
    ...speech,
    channelsFor: (says) => {
      const carriers = speech.channelsFor(says)
      if (!isPublic(graph, says)) return carriers
      if (Array.isArray(carriers)) return ['page', ...carriers]
      return carriers.reason === 'not_answerable' ? ['page'] : carriers
    },
  }
}

function speechOf({ speaking, plan, configured }: Voice, meter: RenderMeter): Required<Speech> {
  const available = Object.entries(adapters).filter(([name]) =>
    (configured as readonly string[]).includes(name),
  )
  return {
    render: renderIn(speaking.unit.timeZone, meter),
    channelsFor: channelsAmong({ channels: Object.fromEntries(available) }, speaking, plan),
  }
}

function renderIn(timeZone: string, meter: RenderMeter): Render {
  return (template, variables, values) => render(template, { variables, values, timeZone }, meter)
}

/** Each channel is checked by itself: which of them this process has, and which the person, may have changed since. */
function eachChannelAlone(voice: Voice, meter: RenderMeter): Speech {
  const alone = voice.plan.map((channel) => speechOf({ ...voice, plan: [channel] }, meter).channelsFor)
  return {
    render: renderIn(voice.speaking.unit.timeZone, meter),
    channelsFor: (says) => {
      const results = alone.map((channelsFor) => channelsFor(says))
      const refused = results.flatMap((one) => (Array.isArray(one) ? [] : [one]))
      return refused[0] ? { ...refused[0], faults: refused.flatMap(({ faults }) => faults) } : [...voice.plan]
    },
  }
}

function channelOf(one: NodeMessages, plan: readonly Channel[], { channelsFor }: Required<Speech>): Channel {
  const carriers = channelsFor([one])
  return plan.find((name) => Array.isArray(carriers) && carriers.includes(name)) ?? plan[0]!
}

/**
 * The texts of nodes that are not valid Liquid, or take too many steps to be read alone.
 * @throws NeedsThread
 */
function liquidFaults(nodes: readonly ScenarioNode[], within: RenderMeter): Issue[] {
  const issues: Issue[] = []
  for (const { messages, at } of textsOf(nodes)) {
    const meter = messageMeter(within)
    mapTexts({ messages }, (text, path) => {
      try {
        if (hasLiquid(text) || text.length > renderedLengthMax) parseText(text, meter)
      } catch (thrown) {
        const because = reasonOf(unlessElsewhere(thrown))
        issues.push({ path: at(path), ...broken('invalid_template', { because }) })
      }
      return text
    })
  }
  return issues
}
