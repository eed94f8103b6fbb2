import { isOneOf, registerResults } from '../../contract/enums.ts'
import type { Graph } from '../../contract/scenarios/graph.ts'
import { hasInexactNumber } from '../lib/json-values.ts'
import { isExitKeyword, isSettingsKeyword } from './auto-reply.ts'
import type { NodeMessages } from './deliverable-channels.ts'
import { edgesFrom } from './edges.ts'
import { jumpCircle } from './jumps.ts'
import { fieldsOfAnswer, fittingFields, type RefusedField, refusalsAt } from './lookup-answer.ts'
import { optionBegun, optionLabelled, optionNamed, type QuestionOption } from './question.ts'
import { unusableAnswer } from './unusable-answer.ts'
import type { RunContext, RunValues } from './values.ts'
import { type NodeError, type Outcome, type Position, type Speech, type Stop, walk } from './walk.ts'

/**
 * What happens outside, by node. An answer: the id of an option or what the person types; null: nothing until the time is
 * over; of a `register` node its result; of a `handoff` anything closes it. A Lookup: the producer's answer; null: none.
 */
export type SimulationInput = {
  variables: Record<string, unknown>
  answers: Record<string, string | null>
  lookups: Record<string, Record<string, unknown> | null>
}

/** How a simulation ends: the run is over, or it waits at a node for which the input says nothing that leads on. */
type SimulationEnd =
  | { state: 'done'; jumpsTo?: string }
  | { state: 'cancelled' | 'failed'; reason: string }
  | { waits: string }

/** The way of a simulated run. `variables`: as they are at its end. `errors`: of its nodes, in order. */
export type Simulation = {
  path: string[]
  errors: NodeError[]
  variables: Record<string, unknown>
  says: NodeMessages[]
  ends: SimulationEnd
}

/**
 * `now`: when the run starts, in ms since the epoch. `self`: the scenario that is simulated; null: it is not stored.
 * `jumpable`: the scenarios that may be jumped to.
 */
export type SimulationWorld = {
  context: RunContext
  now: number
  speech: Required<Speech>
  self: string | null
  jumpable: readonly string[]
}

/**
 * Walks a graph without problems (`graphProblems`) from its start, as a run would, with what happens outside given in
 * advance. Answers come at once; waits and time-outs set the clock forward.
 */
export function simulate(graph: Graph, input: SimulationInput, world: SimulationWorld): Simulation {
  let at: Position = { node: graph.nodes[0]!.id }
  let values: RunValues = { variables: input.variables, answers: {}, lookupError: null }
  let { now, self: unattended } = world
  const path: string[] = []
  const errors: NodeError[] = []
  const says: NodeMessages[] = []
  for (;;) {
    const way = walk(graph, at, values, world.context, now, world.speech)
    const unusable = unusableAnswer(graph, at, way, world.context, world.speech)
    if (unusable) {
      errors.push(unusable)
      return { path: [...path, at.node], errors, variables: values.variables, says, ends: { waits: at.node } }
    }
    const { steps, stop } = way
    values = way.values
    path.push(...steps.map(({ node }) => node))
    errors.push(...steps.flatMap(({ error }) => error ?? []))
    if (stop.kind === 'failed') errors.push({ node: stop.node, reason: stop.reason, faults: stop.faults })
    const {
      turn = [],
      refused = [],
      ...next
    } = happens(graph, stop, input, { ...world, self: unattended }, { values, now })
    says.push(...turn)
    errors.push(...refusalsAt(stop.node, refused))
    if ('ends' in next)
      return { path: [...path, stop.node], errors, variables: values.variables, says, ends: next.ends }
    at = { node: stop.node, outcome: next.outcome }
    if (stop.kind === 'ask' && next.outcome.kind !== 'timeout') unattended = null
    now = next.at ?? now
  }
}

/**
 * What is said at a stop, which fields of an answer are refused there, and how it ends: with an outcome, at a time, or with
 * the simulation.
 */
type Happening = { turn?: NodeMessages[]; refused?: RefusedField[] } & (
  | { outcome: Outcome; at?: number }
  | { ends: SimulationEnd }
)

function happens(
  graph: Graph,
  stop: Stop,
  { answers, lookups }: SimulationInput,
  { jumpable, self }: SimulationWorld,
  { values, now }: { values: RunValues; now: number },
): Happening {
  const answer = inputFor(answers, stop.node)
  switch (stop.kind) {
    case 'say':
      return { turn: stop.says, outcome: { kind: 'done' } }
    case 'ask':
      return { turn: stop.says, ...answered(graph, stop, answer, now) }
    case 'lookup': {
      const fields = inputFor(lookups, stop.node)
      if (hasInexactNumber(stop.variables)) return { outcome: { kind: 'notFound', error: 'shape' } }
      if (fields === undefined) return { ends: { waits: stop.node } }
      if (fields === null) return { outcome: { kind: 'notFound', error: 'timeout' } }
      return looked(values, fields)
    }
    case 'wait':
      return { outcome: { kind: 'done' }, at: stop.until }
    case 'tag':
    case 'join':
      return { outcome: { kind: 'done' } }
    case 'register': {
      if (isResultAt(graph, stop.node, answer)) return { outcome: { kind: 'result', result: answer } }
      return { turn: stop.waiting ? [stop.waiting] : [], ends: { waits: stop.node } }
    }
    case 'handoff': {
      if (answer === undefined) return { ends: { waits: stop.node } }
      return answer === null ? timeout(stop, now) : { outcome: { kind: 'done' } }
    }
    case 'jump':
      if (!jumpable.includes(stop.scenarioId)) return { outcome: { kind: 'error', reason: 'not_active' } }
      if (stop.scenarioId === self) return { outcome: { kind: 'error', reason: jumpCircle } }
      return { ends: { state: 'done', jumpsTo: stop.scenarioId } }
    case 'end':
      return { ends: { state: 'done' } }
    case 'failed':
      return { ends: { state: 'failed', reason: stop.reason } }
  }
}

/** What a run keeps of an answer. */
function looked({ variables }: RunValues, answer: Record<string, unknown>): Happening {
  const { fields, refused } = fieldsOfAnswer(answer)
  const kept = fittingFields(variables, fields)
  if (!kept) return { outcome: { kind: 'notFound', error: 'size' } }
  return { outcome: { kind: 'found', fields: kept.fields }, refused: [...refused, ...kept.refused] }
}

/** The value for a node; undefined if there is none. */
function inputFor<Value>(values: Record<string, Value>, node: string): Value | undefined {
  return Object.hasOwn(values, node) ? values[node] : undefined
}

/** A typed text that is no option is taken by the edge for texts; without one, the question stays open. */
function answered(
  graph: Graph,
  stop: Extract<Stop, { kind: 'ask' }>,
  answer: string | null | undefined,
  now: number,
): Happening {
  if (answer === undefined) return { ends: { waits: stop.node } }
  if (answer === null) return timeout(stop, now)
  const takesText = edgesFrom(graph.edges, stop.node).some(({ when }) => when?.kind === 'text')
  const option = optionMeant(stop.options, answer, takesText)
  if (option === 'leaving') return { ends: { state: 'cancelled', reason: 'left' } }
  if (option === 'settings') return { ends: { waits: stop.node } }
  if (option) return { outcome: { kind: 'option', optionId: option.id } }
  return takesText ? { outcome: { kind: 'text', text: answer } } : { ends: { waits: stop.node } }
}

/**
 * A tap carries the id exactly; the ids of two options may be the same as typed texts. A typed text by which people leave,
 * or ask for their settings, does so unless it is the label of an option. Where a question takes texts as well, only the whole of a label names it.
 */
function optionMeant(
  options: QuestionOption[],
  answer: string,
  takesText: boolean,
): QuestionOption | 'leaving' | 'settings' | null {
  const chosen = options.find(({ id }) => id === answer) ?? optionLabelled(options, answer)
  if (chosen) return chosen
  if (isExitKeyword(answer)) return 'leaving'
  if (isSettingsKeyword(answer)) return 'settings'
  return optionNamed(options, answer) ?? (takesText ? null : optionBegun(options, answer))
}

function timeout({ timeoutSeconds }: { timeoutSeconds: number }, now: number): Happening {
  return { outcome: { kind: 'timeout' }, at: now + timeoutSeconds * 1_000 }
}

function isResultAt(
  { edges }: Graph,
  node: string,
  answer: string | null | undefined,
): answer is (typeof registerResults)[number] {
  if (!isOneOf(registerResults, answer)) return false
  return edgesFrom(edges, node).some(({ when }) => when?.kind === 'result' && when.result === answer)
}
