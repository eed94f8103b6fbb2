import type { RegisterResult } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { EdgeCase, Graph, ScenarioEdge, ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { Render } from '../content/render.ts'
import {
  type DeliverableChannels,
  type NodeMessages,
  sentTogether,
  type TextFault,
  type Undeliverable,
} from './deliverable-channels.ts'
import { edgesFrom } from './edges.ts'
import { instantIn } from './instant.ts'
import { textsOf } from './node-texts.ts'
import { optionsOf, type QuestionOption } from './question.ts'
import { holds, type LookupFault, type RunContext, type RunValues, valueAt, valuesIn } from './values.ts'

/**
 * How a node ended. `reason`: of an error, as a run that fails for it shows it; `faults`: those of its texts. `fields`: what
 * of the answer of a Lookup becomes variables.
 */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'option'; optionId: string }
  | { kind: 'text'; text: string }
  | { kind: 'timeout' }
  | { kind: 'error'; reason: string; faults?: TextFault[] }
  | { kind: 'found'; fields: Record<string, unknown> }
  | { kind: 'notFound'; error: LookupFault }
  | { kind: 'result'; result: RegisterResult }

/** Where a run is: entering a node, or leaving one that has ended. */
export type Position = { node: string; outcome?: Outcome }

/** What must happen outside before the run goes on from `node`. `until`: ms since the epoch. */
export type Stop =
  | { kind: 'say'; node: string; says: NodeMessages[] }
  | { kind: 'ask'; node: string; says: NodeMessages[]; options: QuestionOption[]; timeoutSeconds: number }
  | { kind: 'lookup'; node: string; method: 'GET' | 'POST'; url: string; variables: Record<string, unknown> }
  | { kind: 'wait'; node: string; until: number }
  | { kind: 'tag'; node: string; add: string[]; remove: string[] }
  | { kind: 'join'; node: string; groupId: string }
  | { kind: 'register'; node: string; withdraw: boolean; waiting: NodeMessages | null }
  | { kind: 'handoff'; node: string; timeoutSeconds: number }
  | { kind: 'jump'; node: string; scenarioId: string; variables: Record<string, unknown> }
  | { kind: 'end'; node: string }
  | ({ kind: 'failed' } & NodeError)

/**
 * What went wrong at a node. `faults`: of its texts; their paths lead into the body of the scenario. `fields`: of the answer
 * of a Lookup, which became null for this reason.
 */
export type NodeError = { node: string; reason: string; faults: TextFault[]; fields?: string[] }

/** A node that was left, and the edge; null: by a `nextNode` button. `error`: why it took the edge for errors. */
export type Step = { node: string; edge: ScenarioEdge | null; to: string; error?: NodeError }

/** `fails`: what cannot be said at the end of the way, so that a run fails there, at once or after what `stop` says; null: nothing. */
export type Walk = { steps: Step[]; values: RunValues; stop: Stop; fails: NodeError | null }

/** How what is said is rendered and checked. `channelsFor`: omitted, every channel carries everything. */
export type Speech = { render: Render; channelsFor?: DeliverableChannels }

/**
 * The way of a run from a position to the next thing that must happen outside. Pure: a simulation takes the same way.
 * What is said in a row becomes one turn: up to five messages that the same channels can carry, the last of them a question
 * or a node that has an edge for errors. The graph has no problems (`graphProblems`). `now`: ms since the epoch.
 */
export function walk(
  graph: Graph,
  from: Position,
  before: RunValues,
  context: RunContext,
  now: number,
  speech: Speech,
): Walk {
  let node = nodeAt(graph, from.node)
  const values = from.outcome ? keep(node, from.outcome, before) : before
  const scope = valuesIn(values, context)
  const steps: Step[] = []
  const turn: NodeMessages[] = []
  /** The steps up to the last node of the turn: the way behind it is taken again once the turn is sent. */
  let sent = 0
  let entered: Entered = from.outcome
    ? { kind: 'left', outcome: from.outcome }
    : enter(node, turn, { scope, graph, ...speech }, now)
  for (;;) {
    if (entered.kind === 'stop' && isEffect(entered.stop))
      return { steps, values, stop: entered.stop, fails: null }
    const way = entered.kind === 'left' ? wayOut(graph, node, entered.outcome, scope) : null
    if (entered.kind === 'left' && entered.says) {
      turn.push(entered.says)
      sent = steps.length
    }
    if (!way) {
      const end = stopAt(node, entered)
      const fails = end.kind === 'failed' && entered.kind !== 'full' ? end : null
      const last = turn.at(-1)
      if (!last) return { steps, values, stop: end, fails }
      const says: Stop = { kind: 'say', node: last.node, says: turn }
      return { steps: steps.slice(0, sent), values, stop: says, fails }
    }
    steps.push(way)
    node = nodeAt(graph, way.to)
    entered = enter(node, turn, { scope, graph, ...speech }, now)
  }
}

function nodeAt({ nodes }: Graph, id: string): ScenarioNode {
  const node = nodes.find((one) => one.id === id)
  if (!node) throw new Error(`the graph has no node ${id}`)
  return node
}

/** What a run keeps of how a node ended. */
export function keep(node: ScenarioNode, outcome: Outcome, values: RunValues): RunValues {
  switch (outcome.kind) {
    case 'option':
    case 'text': {
      const answer = outcome.kind === 'option' ? outcome.optionId : outcome.text
      const saved = node.kind === 'question' && node.saveAs !== undefined ? { [node.saveAs]: answer } : {}
      return {
        ...values,
        variables: { ...values.variables, ...saved },
        answers: { ...values.answers, [node.id]: answer },
      }
    }
    case 'found':
      return {
        ...values,
        variables: { ...values.variables, ...outcome.fields },
        lookupError: null,
      }
    case 'notFound':
      return { ...values, lookupError: outcome.error }
    default:
      return values
  }
}

/** What entering a node comes to: it is left at once, the run stops, or the turn is full and is sent first. */
type Entered =
  | { kind: 'left'; outcome: Outcome; says?: NodeMessages }
  | { kind: 'stop'; stop: Stop }
  | { kind: 'full' }

type Scope = Record<string, unknown>
/** From what texts are rendered, and where they stand. */
type Source = Speech & { scope: Scope; graph: Graph }

function enter(at: ScenarioNode, turn: NodeMessages[], source: Source, now: number): Entered {
  const { id: node } = at
  const { scope } = source
  switch (at.kind) {
    case 'message':
      return say(at, turn, source)
    case 'question':
      return ask(at, turn, source)
    case 'branch':
      return { kind: 'left', outcome: { kind: 'done' } }
    case 'wait':
      return waitFor(at, scope, now)
    case 'lookup':
      return stop({
        kind: 'lookup',
        node,
        method: at.method,
        url: at.url,
        variables: named(scope, at.variables),
      })
    case 'tag':
      return stop({ kind: 'tag', node, add: at.add ?? [], remove: at.remove ?? [] })
    case 'addToGroup':
      return stop({ kind: 'join', node, groupId: at.groupId })
    case 'register':
      return register(at, source)
    case 'handoff':
      return stop({ kind: 'handoff', node, timeoutSeconds: at.timeoutSeconds })
    case 'jump':
      return stop({
        kind: 'jump',
        node,
        scenarioId: at.scenarioId,
        variables: named(scope, at.variables ?? []),
      })
    case 'end':
      return stop({ kind: 'end', node })
  }
}

function stop(at: Stop): Entered {
  return { kind: 'stop', stop: at }
}

function error(reason: string): Entered {
  return { kind: 'left', outcome: { kind: 'error', reason } }
}

function unsayable(why: Unsaid): Entered {
  return { kind: 'left', outcome: { kind: 'error', ...why } }
}

type NodeOf<Kind extends ScenarioNode['kind']> = Extract<ScenarioNode, { kind: Kind }>

function say({ id: node, messages }: NodeOf<'message'>, turn: NodeMessages[], source: Source): Entered {
  const says = rendered(node, messages, source)
  if ('reason' in says) return unsayable(says)
  if (!fits(turn, says, source)) return { kind: 'full' }
  const mayFail = edgesFrom(source.graph.edges, node).some(({ when }) => when?.kind === 'error')
  if (mayFail) return stop({ kind: 'say', node, says: [...turn, says] })
  return { kind: 'left', outcome: { kind: 'done' }, says }
}

function ask(
  { id: node, message, timeoutSeconds }: NodeOf<'question'>,
  turn: NodeMessages[],
  source: Source,
): Entered {
  const says = rendered(node, [message], source)
  if ('reason' in says) return unsayable(says)
  if (!fits(turn, says, source)) return { kind: 'full' }
  const options = says.messages.flatMap(optionsOf)
  return stop({ kind: 'ask', node, says: [...turn, says], options, timeoutSeconds })
}

function fits(turn: NodeMessages[], next: NodeMessages, { channelsFor = anything }: Source): boolean {
  const count = turn.reduce((sum, says) => sum + says.messages.length, next.messages.length)
  return count <= limits.messagesPerTurn && sentTogether(turn, next, channelsFor)
}

const anything: DeliverableChannels = () => []

function register({ id: node, withdraw, waitingList }: NodeOf<'register'>, source: Source): Entered {
  const waiting = waitingList ? rendered(node, waitingList.messages, source) : null
  if (waiting && 'reason' in waiting) return stop({ kind: 'failed', node, ...waiting })
  return stop({ kind: 'register', node, withdraw: withdraw ?? false, waiting })
}

/** Why a node cannot be said. */
type Unsaid = { reason: Undeliverable['reason'] | 'missing_variable'; faults: TextFault[] }

/** Why a node cannot say its texts as a run with these values enters it; null: it can, or has none. Pure. */
export function undeliverableAt(
  graph: Graph,
  node: string,
  values: RunValues,
  context: RunContext,
  speech: Speech,
): Unsaid | null {
  const text = textsOf(graph.nodes).find((one) => one.node.id === node)
  if (!text) return null
  const says = rendered(node, text.messages, { scope: valuesIn(values, context), graph, ...speech })
  return 'reason' in says ? says : null
}

/** What a node says with these variables, or why it cannot be said. */
function rendered(
  node: string,
  messages: CanonicalMessage[],
  { scope, graph, render, channelsFor = anything }: Source,
): NodeMessages | Unsaid {
  const variables = [...Object.keys(scope), ...optionalNames(graph)].map((name) => ({
    name,
    required: false,
  }))
  const text = { messages, subject: null }
  const { unfilled, violations, messages: filledMessages } = render(text, variables, scope)
  const because = (reason: Unsaid['reason'], faults: TextFault[]) => {
    const { at } = textsOf(graph.nodes).find((one) => one.node.id === node)!
    return { reason, faults: faults.map((fault) => ({ ...fault, path: at(fault.path) })) }
  }
  if (unfilled.length > 0) return because('missing_variable', unfilled.map(withoutValue))
  if (violations.length > 0) return because('content_violation', violations)
  const says = { node, messages: filledMessages }
  const carriers = channelsFor([says])
  return Array.isArray(carriers) ? says : because(carriers.reason, carriers.faults)
}

/** The names that have no value where nobody gave one: they are empty, as in a template. */
function optionalNames({ nodes, variables = [] }: Graph): string[] {
  return [
    ...variables.flatMap(({ name, required }) => (required ? [] : [name])),
    ...nodes.flatMap((node) => (node.kind === 'question' && node.saveAs !== undefined ? [node.saveAs] : [])),
    'lookup_error',
  ]
}

function withoutValue({ path, name }: { path: string; name: string }): TextFault {
  return {
    path,
    code: 'missing_variable',
    variable: name,
    message: {
      'zh-TW': `這段文字用到的變數「${name}」沒有值。請在這個步驟之前給它值，或用 exists 分支繞過這個步驟。`,
      en: `The variable ${name} in this text has no value. Give it one before this node, or lead around the node by a branch on exists.`,
    },
  }
}

function waitFor(
  { id: node, seconds, until, untilVariable }: NodeOf<'wait'>,
  scope: Scope,
  now: number,
): Entered {
  const moment =
    seconds === undefined ? instantIn(until ?? valueAt(scope, untilVariable ?? '')) : now + seconds * 1_000
  if (moment === null || moment > now + limits.scenarioWaitSeconds * 1_000) return error('no_instant')
  if (moment <= now) return { kind: 'left', outcome: { kind: 'done' } }
  return stop({ kind: 'wait', node, until: moment })
}

/** The variables with these names; those without a value are left out. */
function named(scope: Scope, names: string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(scope, name)).map((name) => [name, scope[name]]),
  )
}

/** Whether what the turn says is part of the stop. */
function isEffect({ kind }: Stop): boolean {
  return kind === 'say' || kind === 'ask'
}

/** The way by which a node is left; null: none for this outcome, so the run fails. */
function wayOut(graph: Graph, node: ScenarioNode, outcome: Outcome, scope: Scope): Step | null {
  const direct =
    outcome.kind === 'option' && node.kind === 'question' ? nextNodeOf(node, outcome.optionId) : undefined
  if (direct !== undefined) return { node: node.id, edge: null, to: direct }
  const failed = errorOf(node, outcome)
  const edges = edgesFrom(graph.edges, node.id)
  const edge =
    edges.find(({ when }) => (node.kind === 'branch' ? when && holds(when, scope) : isFor(when, outcome))) ??
    (outcome.kind === 'option' || node.kind === 'branch'
      ? edges.find(({ when }) => when?.kind === 'otherwise')
      : undefined)
  return edge ? { node: node.id, edge, to: edge.to, ...(failed && { error: failed }) } : null
}

/** What went wrong at a node that ended so; null: nothing. */
function errorOf({ id: node }: ScenarioNode, outcome: Outcome): NodeError | null {
  if (outcome.kind === 'error') return { node, reason: outcome.reason, faults: outcome.faults ?? [] }
  return outcome.kind === 'notFound' ? { node, reason: outcome.error, faults: [] } : null
}

function nextNodeOf({ message }: NodeOf<'question'>, id: string): string | undefined {
  return optionsOf(message).find((option) => option.id === id)?.nodeId
}

function isFor(when: EdgeCase | undefined, outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'done':
    case 'found':
      return when === undefined
    case 'option':
      return when?.kind === 'option' && when.optionId === outcome.optionId
    case 'result':
      return when?.kind === 'result' && when.result === outcome.result
    case 'notFound':
      return when?.kind === 'error'
    default:
      return when?.kind === outcome.kind
  }
}

function stopAt(node: ScenarioNode, entered: Entered): Stop {
  if (entered.kind === 'stop') return entered.stop
  const failed = entered.kind === 'left' ? errorOf(node, entered.outcome) : null
  return { kind: 'failed', ...(failed ?? { node: node.id, reason: 'no_way', faults: [] }) }
}
