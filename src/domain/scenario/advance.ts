import type {
  Channel,
  HandoffState,
  Locale,
  LookupError,
  Problem,
  RunState,
  ScenarioState,
  Stage,
  TurnChannel,
  TurnState,
} from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Graph, ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { Asking, Registered } from '../pattern/check-registration.ts'
import { type PatternFacts, patternValues } from '../pattern/pattern-values.ts'
import type { NodeMessages } from './deliverable-channels.ts'
import { failureMessages, failureNode } from './failure.ts'
import { farewellMessages, farewellNode, retired } from './farewell.ts'
import { jumpCircle } from './jumps.ts'
import { isPublic } from './public-text.ts'
import { answersUntil } from './question.ts'
import { unusableAnswer, unusableSays } from './unusable-answer.ts'
import type { RunContext, RunValues } from './values.ts'
import { type Outcome, type Position, type Speech, type Step, walk } from './walk.ts'

/** What the decision needs to know of a run. Times are ms since the epoch. */
export type RunFacts = {
  state: RunState
  /** Why an open run is about to end: what is said last is said first. */
  ending: string | null
  node: string
  deadline: number | null
  values: RunValues
  /** Jumps since the person last said something. */
  jumps: number
  /** The scenarios of those jumps, this one last; empty: the person has said something to this run. */
  jumpedThrough: readonly string[]
  /** Set while the run waits because its step kept failing: until when. */
  stepParkedUntil: number | null
  /** `farewell`: of the run's version, what it says last once its scenario is retired; null: nothing. */
  scenario: { state: ScenarioState; graph: Graph; farewell: LocalisedText | null }
  person: { subjectId: string; displayName: string | null; locale: Locale; stage: Stage }
  /** Whether the person did something within the last minute, and so waits for an answer. */
  answersPerson: boolean
  /** Whether they did it on a page behind a link, on which they read what is said next. */
  onPage: boolean
  /** Whether the person has said something and heard nothing since, however long ago that was. */
  spokeLast: boolean
  /** Whether the person's consent to the category stands. */
  consent: boolean
  /** The first channel of the category's plan that is open for the person. */
  firstChannel: Channel
  /** What is to be said, else what was said last; null: nothing yet. */
  turn: TurnFacts | null
  /** What the person answered at the node. */
  answer: { optionId: string | null; text: string | null } | null
  /** How the Lookup at the node ended; null: it has not. What it found is among the values. */
  looked: 'found' | LookupError | null
  /** The handoff that the node has opened; null: none. */
  handoff: HandoffState | null
  /** What the person did before the deadline is not worked off yet: it may be the answer. */
  pendingEvents: boolean
  /** The groups of the unit that may be joined, and the scenarios that take this person now, of those the graph names. */
  groups: readonly JoinableGroup[]
  jumpable: readonly string[]
  /** The pattern of the scenario; null: it belongs to none. */
  pattern: PatternFacts | null
  /** What the last request for a place came to, and at which node; null: none was made in this step. */
  registered: (Pick<Registered, 'result'> & { node: string }) | null
}

/** A group to which people may be added. `needs`: its parent, which the person is not in; null: nothing. */
type JoinableGroup = { id: string; needs: string | null }

export type TurnFacts = {
  lastNode: string
  state: TurnState
  reason: string | null
  closedAt: number | null
  /** The channel to try: the one it is bound to, or the first that is open for it. */
  channel: TurnChannel
  nextTryAt: number | null
  problem: Problem | null
}

/** What a run waits for; operators read it in the Temporal UI. */
export type RunWait =
  | 'answer'
  | 'handoff'
  | 'place'
  | 'time'
  | 'resume'
  | 'retirement'
  | 'provider'
  | 'quota'
  | 'quiet hours'
  | 'pendingEvents'
  | 'retry'
  | 'rendering'

/**
 * At what a run stands: what it waits for, until when (ms since the epoch; null: until something happens), or what it does
 * next. `ended`: nothing more.
 */
export type Standing =
  | { at: RunWait; until: number | null }
  | { at: 'turn'; channel: TurnChannel }
  | { at: 'lookup' }
  | { at: 'ended' }

/** A request for a place in the pattern, to be decided under its lock before the run goes on. */
export type RegisterStep = { at: 'register'; node: string } & Asking

/** An effect of a node on something other than the run. */
export type Effect =
  | { kind: 'tag'; node: string; add: string[]; remove: string[] }
  | { kind: 'join'; node: string; groupId: string }
  | { kind: 'handOver'; node: string }

/** How a run moves: what is written in one transaction. */
export type RunMove = {
  steps: Step[]
  node: string
  state: RunState
  deadline: number | null
  values: RunValues
  effects: Effect[]
  /** What is said next; `onPage`: on the page on which the person has just answered. */
  turn: { says: NodeMessages[]; firstNode: string; onPage: boolean } | null
  /** The node whose stored answer is deleted, since it is asked again. */
  retracted: string | null
  /** The scenario in which the conversation goes on. */
  jump: { scenarioId: string; variables: Record<string, unknown> } | null
  /** Why it ended, if it was cancelled or failed. */
  reason: string | null
}

/** `move` null: nothing is written but that the run has seen its row. */
export type Advance = { move: RunMove | null; step: Standing | RegisterStep }

/** How often a run asks whether what the person did in time has been worked off (ms). */
const pendingEventsMs = 500

/** What a run does at this moment (ms since the epoch), and how it moves. Pure. */
export function advance(facts: RunFacts, now: number, speech: Speech): Advance {
  const { state, turn, stepParkedUntil, ending } = facts
  const closed = state !== 'running' && state !== 'waiting'
  // What was under way when the run ended: only its sender knows its outcome.
  if (closed) return stay(turn?.state === 'pending' ? turnStep(facts, turn, now) : { at: 'ended' })
  if (stepParkedUntil !== null && now < stepParkedUntil) return stay({ at: 'retry', until: stepParkedUntil })
  if (turn?.state === 'pending') return stay(turnStep(facts, turn, now))
  if (ending !== null) {
    const ended = turn?.lastNode === failureNode ? 'failed' : 'cancelled'
    return moved(end(facts, ended, ending), { at: 'ended' })
  }
  if (facts.scenario.state === 'retired') return retire(facts)
  const status = outcomeAt(facts, now)
  switch (status.kind) {
    case 'open':
      return stay(status.step)
    case 'sent':
      return moved(
        { ...unmoved(facts), state: 'waiting', deadline: status.deadline },
        { at: status.for, until: status.deadline },
      )
    case 'at':
      return follow(facts, status.position, now, speech)
  }
}

/** The end of a run that moves before the round that ends the runs of its retired scenario comes to it. */
function retire(facts: RunFacts): Advance {
  const { farewell } = facts.scenario
  if (farewell === null) return moved(end(facts, 'cancelled', retired), { at: 'ended' })
  const says = farewellMessages(farewell)
  return saying(
    facts,
    { ...unmoved(facts), state: 'running', deadline: null, reason: retired },
    says,
    farewellNode,
  )
}

/** A move that says something: on the page of who has just answered there, unless it names something of theirs. */
function saying(facts: RunFacts, move: RunMove, says: NodeMessages[], firstNode: string): Advance {
  const onPage = facts.onPage && isPublic(facts.scenario.graph, says)
  return moved(
    { ...move, turn: { says, firstNode, onPage } },
    { at: 'turn', channel: onPage ? 'page' : facts.firstChannel },
  )
}

function stay(step: Advance['step']): Advance {
  return { move: null, step }
}

function moved(move: RunMove, step: Advance['step']): Advance {
  return { move, step }
}

function turnStep(
  { state, scenario, ending }: RunFacts,
  { nextTryAt, problem, channel }: TurnFacts,
  now: number,
): Standing {
  const goesOn = ending === null && (state === 'running' || state === 'waiting')
  if (scenario.state === 'paused' && goesOn) return { at: 'resume', until: null }
  // Of a retired scenario only the farewell is said, which the end of its runs puts in the place of this turn.
  if (scenario.state === 'retired' && goesOn) return { at: 'retirement', until: null }
  if (nextTryAt !== null && now < nextTryAt) return { at: waitOf(problem), until: nextTryAt }
  return { at: 'turn', channel }
}

function waitOf(problem: Problem | null): RunWait {
  if (problem === 'quota') return 'quota'
  return problem === null ? 'quiet hours' : 'provider'
}

/**
 * Where a run is: still at its node, at one whose turn was just sent, or that ends at another time than before, or on
 * its way.
 */
type NodeStatus =
  | { kind: 'open'; step: Advance['step'] }
  | { kind: 'sent'; deadline: number; for: RunWait }
  | { kind: 'at'; position: Position }

function outcomeAt(facts: RunFacts, now: number): NodeStatus {
  const { node: id, turn, deadline } = facts
  const node = facts.scenario.graph.nodes.find((one) => one.id === id)
  const ownTurn = turn?.lastNode === id ? turn : null
  const left = (outcome: Outcome): NodeStatus => ({ kind: 'at', position: { node: id, outcome } })
  if (ownTurn && (ownTurn.state === 'failed' || ownTurn.state === 'skipped'))
    return left({ kind: 'error', reason: ownTurn.reason ?? ownTurn.state })
  switch (node?.kind) {
    case 'message':
      return ownTurn ? left({ kind: 'done' }) : { kind: 'at', position: { node: id } }
    case 'question':
      // A run that begins with an answer does not ask.
      if (facts.answer) return left(answerOf(facts.answer))
      return ownTurn ? atQuestion(facts, node, ownTurn, now) : { kind: 'at', position: { node: id } }
    case 'wait':
      if (deadline === null) return { kind: 'at', position: { node: id } }
      return now < deadline ? { kind: 'open', step: { at: 'time', until: deadline } } : left({ kind: 'done' })
    case 'lookup':
      if (facts.looked === 'found') return left({ kind: 'found', fields: {} })
      if (facts.looked !== null) return left({ kind: 'notFound', error: facts.looked })
      return facts.consent
        ? { kind: 'open', step: { at: 'lookup' } }
        : left({ kind: 'notFound', error: 'noConsent' })
    case 'register':
      return atRegister(facts, node, ownTurn, now)
    case 'handoff':
      if (facts.handoff === 'closed') return left({ kind: 'done' })
      if (deadline === null) return { kind: 'at', position: { node: id } }
      return now < deadline
        ? { kind: 'open', step: { at: 'handoff', until: deadline } }
        : left({ kind: 'timeout' })
    default:
      return { kind: 'at', position: { node: id } }
  }
}

type Question = Extract<ScenarioNode, { kind: 'question' }>

function answerOf({ optionId, text }: NonNullable<RunFacts['answer']>): Outcome {
  return optionId === null ? { kind: 'text', text: text ?? '' } : { kind: 'option', optionId }
}

/** A question ends with the first answer, or with its time, once every event that came in time is applied. */
function atQuestion(
  { node, deadline, pendingEvents, pattern }: RunFacts,
  question: Question,
  { closedAt }: TurnFacts,
  now: number,
): NodeStatus {
  // The deadline of a pattern may have changed since it was sent.
  const isKnown = deadline !== null && (pattern === null || closedAt === null)
  const until = isKnown ? deadline : answersUntil(question, closedAt ?? now, pattern?.deadline ?? null)
  if (deadline === null || (deadline !== until && now < until))
    return { kind: 'sent', deadline: until, for: 'answer' }
  if (now < until) return { kind: 'open', step: { at: 'answer', until: until } }
  if (pendingEvents) return { kind: 'open', step: { at: 'pendingEvents', until: now + pendingEventsMs } }
  return { kind: 'at', position: { node, outcome: { kind: 'timeout' } } }
}

type Register = Extract<ScenarioNode, { kind: 'register' }>

/**
 * A place is asked for until the answer is known; a person who must wait for one is notified, and waits until they
 * withdraw, get a place, or the pattern closes.
 */
function atRegister(
  facts: RunFacts,
  { id: node, withdraw, waitingList }: Register,
  ownTurn: TurnFacts | null,
  now: number,
): NodeStatus {
  const { registered, pattern, answer, deadline, pendingEvents, consent } = facts
  const ask = (withdraws: boolean): NodeStatus => ({
    kind: 'open',
    step: { at: 'register', node, withdraw: withdraws, waits: waitingList !== undefined },
  })
  const result = registered?.node === node ? registered.result : null
  if (result !== null && result !== 'waiting')
    return { kind: 'at', position: { node, outcome: { kind: 'result', result } } }
  if (!pattern) return { kind: 'at', position: { node } }
  // Also if they have got a place meanwhile, of which they did not know.
  if (ownTurn && answer && (waits(facts) || pattern.own?.byThisRun)) return ask(true)
  if (!waits(facts)) return consent || withdraw ? ask(withdraw ?? false) : { kind: 'at', position: { node } }
  if (ownTurn === null) return { kind: 'at', position: { node } }
  const until = pattern.deadline
  if (deadline !== until && now < until) return { kind: 'sent', deadline: until, for: 'place' }
  if (now < until) return { kind: 'open', step: { at: 'place', until: until } }
  if (pendingEvents) return { kind: 'open', step: { at: 'pendingEvents', until: now + pendingEventsMs } }
  return result === null
    ? ask(false)
    : { kind: 'open', step: { at: 'pendingEvents', until: now + pendingEventsMs } }
}

/** Whether the person waits for a place, at the node where the run is. */
function waits({ node, registered, pattern }: RunFacts): boolean {
  if (registered?.node === node) return registered.result === 'waiting'
  return pattern?.own?.state === 'waitlisted' && pattern.own.byThisRun
}

/** Walks on until something must happen outside that takes time; what can be done at once is done on the way. */
function follow(facts: RunFacts, from: Position, now: number, speech: Speech): Advance {
  const { scenario, consent, groups, jumpable, jumps, jumpedThrough } = facts
  const context = runContext(facts, now)
  const steps: Step[] = []
  const effects: Effect[] = []
  let values = facts.values
  let position = from
  for (;;) {
    const way = walk(scenario.graph, position, values, context, now, speech)
    steps.push(...way.steps)
    values = way.values
    const { stop } = way
    const again = unusableAnswer(scenario.graph, from, way, context, speech) && askAgain(facts, now, speech)
    if (again) return again
    const base = { ...unmoved(facts), steps, values, effects, node: stop.node, deadline: null }
    const ended = (state: 'done' | 'failed', reason: string | null): Advance =>
      moved({ ...base, ...{ state, reason } }, { at: 'ended' })
    const failed = (reason: string): Advance => {
      if (!awaitsReply(facts)) return ended('failed', reason)
      return saying(facts, { ...base, state: 'running', reason }, failureMessages(), failureNode)
    }
    const goOn = (outcome: Outcome) => {
      position = { node: stop.node, outcome }
    }
    switch (stop.kind) {
      case 'say':
      case 'ask':
        return saying(facts, { ...base, state: 'running' }, stop.says, stop.says[0]!.node)
      case 'lookup':
        if (!consent) {
          goOn({ kind: 'notFound', error: 'noConsent' })
          continue
        }
        return moved({ ...base, state: 'running' }, { at: 'lookup' })
      case 'wait':
        return moved({ ...base, state: 'waiting', deadline: stop.until }, { at: 'time', until: stop.until })
      case 'tag':
        if (!consent) return failed('noConsent')
        effects.push({ kind: 'tag', node: stop.node, add: stop.add, remove: stop.remove })
        goOn({ kind: 'done' })
        continue
      case 'join':
        if (mayJoin(groups, stop.groupId, effects)) {
          effects.push({ kind: 'join', node: stop.node, groupId: stop.groupId })
          goOn({ kind: 'done' })
        } else goOn({ kind: 'error', reason: 'no_group' })
        continue
      case 'jump':
        if (!jumpable.includes(stop.scenarioId)) {
          goOn({ kind: 'error', reason: 'not_active' })
          continue
        }
        if (jumpedThrough.includes(stop.scenarioId)) {
          goOn({ kind: 'error', reason: jumpCircle })
          continue
        }
        if (jumps >= limits.jumpsInARow) {
          goOn({ kind: 'error', reason: 'chain_too_long' })
          continue
        }
        return {
          move: { ...end(facts, 'done', null), ...{ steps, values, effects, node: stop.node }, jump: stop },
          step: { at: 'ended' },
        }
      case 'handoff': {
        const until = now + stop.timeoutSeconds * 1_000
        effects.push({ kind: 'handOver', node: stop.node })
        return moved({ ...base, state: 'waiting', deadline: until }, { at: 'handoff', until: until })
      }
      case 'register': {
        if (!facts.pattern) return failed('no_pattern')
        if (stop.waiting && stop.node === facts.node && waits(facts))
          return saying(facts, { ...base, state: 'running' }, [stop.waiting], stop.node)
        if (!consent && !stop.withdraw) return failed('noConsent')
        const { node, withdraw, waiting } = stop
        return moved(
          { ...base, state: 'running' },
          { at: 'register', node, withdraw, waits: waiting !== null },
        )
      }
      case 'failed':
        return failed(stop.reason)
      case 'end':
        return ended('done', null)
    }
  }
}

/** Asks a question again whose answer comes to nothing; null if it cannot be asked as it was. */
function askAgain(facts: RunFacts, now: number, speech: Speech): Advance | null {
  const { node, scenario, values } = facts
  const { stop } = walk(scenario.graph, { node }, values, runContext(facts, now), now, speech)
  if (stop.kind !== 'ask') return null
  const move = { ...unmoved(facts), state: 'running' as const, deadline: null, retracted: node }
  return saying(facts, move, [unusableSays(), ...stop.says], node)
}

/**
 * Whether the person waits for what a run says next: for an answer, for a place, or for people in a handoff; and may be
 * told, unless what was to be said last has shown that they may not.
 */
function awaitsReply(facts: RunFacts): boolean {
  const { turn } = facts
  if (turn?.state === 'skipped' && turn.reason !== 'expired') return false
  return facts.answersPerson || facts.spokeLast || facts.handoff !== null || waits(facts)
}

/** What the texts of a run read beside its variables. */
export function runContext({ person, pattern }: RunFacts, now: number): RunContext {
  return {
    person: { displayName: person.displayName, locale: person.locale, stage: person.stage },
    subject: person.subjectId,
    pattern: pattern && patternValues(pattern, now),
  }
}

/** Whether the person can be added to a group, after what was done on the way. */
function mayJoin(groups: readonly JoinableGroup[], groupId: string, done: Effect[]): boolean {
  const group = groups.find(({ id }) => id === groupId)
  if (!group) return false
  return group.needs === null || done.some((one) => one.kind === 'join' && one.groupId === group.needs)
}

function unmoved({ node, state, deadline, values }: RunFacts): RunMove {
  return {
    steps: [],
    node,
    state,
    deadline,
    values,
    effects: [],
    turn: null,
    retracted: null,
    jump: null,
    reason: null,
  }
}

function end(facts: RunFacts, state: 'done' | 'cancelled' | 'failed', reason: string | null): RunMove {
  return { ...unmoved(facts), state, deadline: null, reason }
}
