import type { HandoffEnd } from '../../contract/enums.ts'
import type { NodeError } from '../../contract/scenarios/node-error.ts'
import {
  type AnswerOfRun,
  listAnswersOfRun,
  listSteps,
  type StepRow,
} from '../../db/queries/scenario-run/records.ts'
import { type TracedHandoff, type TracedReply, tracedHandoffs } from '../../db/queries/trace/handoff.ts'
import {
  findTracedRun,
  type TracedLookup,
  type TracedRun,
  type TracedTurn,
  tracedLookups,
  tracedTurns,
} from '../../db/queries/trace/run.ts'
import { movesOf } from '../../db/queries/trace/trace.ts'
import { actorView } from '../actor.ts'
import type { Services } from '../context.ts'
import { errorsOf } from '../scenario-runs/run-errors.ts'
import { auditReading } from '../subjects/find.ts'
import { moveStep, type TraceEntry, timeOf } from './entry.ts'
import { tryEntries } from './turn.ts'

/**
 * Explains what happened in a run of a scenario, or in a handoff, entry by entry; undefined if there is none. `id`: of the
 * run, of one of its turns, of the handoff, or of one of its replies. What was said and typed is not shown. The audit log
 * of its unit records who asked about whom.
 */
export async function traceRun(
  services: Pick<Services, 'db' | 'channels' | 'rendering'>,
  actor: string,
  id: string,
): Promise<TraceEntry[] | undefined> {
  const { db } = services
  const run = await findTracedRun(db, id)
  if (!run) return traceHandoff(services, actor, id)
  const { unitId, subjectId } = run
  if (subjectId !== null) await auditReading(db, { unitId, actor }, subjectId, 'trace')
  const steps = await listSteps(db, run.id)
  const errors = await errorsOf(services, run, steps)
  const entries = [
    startEntry(run),
    ...steps.flatMap((step, index) => pathEntries(step, index, errors)),
    ...(await tracedTurns(db, run.id)).flatMap(turnEntries),
    ...(await tracedLookups(db, run.id)).flatMap(lookupEntries),
    ...(await listAnswersOfRun(db, run.id)).map(answerEntry),
    ...(await tracedHandoffs(db, { runId: run.id })).flatMap(handoffEntries),
    ...(await movesOf(db, 'scenario_run', run.id)).map(moveStep),
    endEntry(run, errors),
  ]
  return entries.sort((one, other) => timeOf(one) - timeOf(other))
}

async function traceHandoff(
  { db }: Pick<Services, 'db'>,
  actor: string,
  id: string,
): Promise<TraceEntry[] | undefined> {
  const [handoff] = await tracedHandoffs(db, { id })
  if (!handoff) return undefined
  const { unitId, subjectId } = handoff
  if (subjectId !== null) await auditReading(db, { unitId, actor }, subjectId, 'trace')
  return handoffEntries(handoff).sort((one, other) => timeOf(one) - timeOf(other))
}

function startEntry(run: TracedRun): TraceEntry {
  const { scenario, version, test, startedBy, startedByName, startedAt } = run
  const what = test ? 'A test' : 'A run'
  const by = actorView(startedBy, startedByName).name
  return { at: startedAt, text: `${what} of version ${version} of “${scenario}” was started by ${by}.` }
}

/** The path, in order; each node is entered at the moment at which the one before it is left. */
function pathEntries(
  { node, enteredAt, leftAt, edge, to }: StepRow,
  index: number,
  errors: NodeError[],
): TraceEntry[] {
  const first = index === 0 ? [{ at: enteredAt, text: `Entered ${node}.` }] : []
  if (edge === null) return first
  const failed = errors.find((one) => one.node === node)
  const why = failed?.reason ? ` (${failed.reason})` : ''
  const text = `Left ${node}${wordEdge(edge)}${why} for ${to}.${wordFaults(failed)}`
  return [...first, { at: leftAt, text }]
}

/** The texts that could not be said at a node: where they stand, and what to do about them. */
function wordFaults(failed: NodeError | undefined): string {
  const faults = failed?.faults ?? []
  return faults
    .map(({ path, channel, message }) => ` ${path}${channel ? ` (${channel})` : ''}: ${message.en}`)
    .join('')
}

/**
 * By which edge, as a path holds it (contract/scenarios/records.ts): `{"kind":"option","optionId":"yes"}` → ` by option
 * yes`.
 */
function wordEdge(edge: string): string {
  if (edge === 'plain') return ''
  if (edge === 'nextNode') return ' by its button'
  const { kind, ...facts }: Record<string, unknown> = JSON.parse(edge)
  return ` by ${[kind, ...Object.values(facts)].join(' ')}`
}

function turnEntries(turn: TracedTurn): TraceEntry[] {
  const { number, firstNode, lastNode, createdAt } = turn
  const says = firstNode === lastNode ? firstNode : `${firstNode} to ${lastNode}`
  return [{ at: createdAt, text: `Turn ${number} says ${says}.` }, ...tryEntries(`Turn ${number}`, turn)]
}

function lookupEntries({ node, startedAt, endedAt, outcome }: TracedLookup): TraceEntry[] {
  const ended = outcome === null ? [] : [{ at: endedAt, text: `The Lookup of ${node} ended: ${outcome}.` }]
  return [{ at: startedAt, text: `The Lookup of ${node} was sent.` }, ...ended]
}

function answerEntry({ node, optionId, at }: AnswerOfRun): TraceEntry {
  return { at, text: `The person answered ${node}: ${optionId ?? 'a text'}.` }
}

function endEntry(
  { state, node, deadline, reason, problem, endedAt, purged }: TracedRun,
  errors: NodeError[],
): TraceEntry {
  if (endedAt === null) {
    const until = deadline ? `, until ${deadline.toISOString()} at the latest` : ''
    return {
      at: null,
      text: `The run is ${state} at ${node}${until}.${problem ? ` Problem: ${problem}.` : ''}`,
    }
  }
  const why = reason ? ` (${reason})` : ''
  const gone = purged ? ' Its person, path and answers are past retention.' : ''
  const failed = state === 'failed' ? errors.find((one) => one.node === node) : undefined
  return { at: endedAt, text: `The run ended at ${node}: ${state}${why}.${wordFaults(failed)}${gone}` }
}

const ends: Record<HandoffEnd, string> = {
  closed: 'by its unit',
  assistant: 'because the assistant took it back',
  silence: 'after a day without a message',
  timeout: 'because the time of its node was over',
  run_ended: 'because its run ended',
  unbound: 'because its chat address was no longer bound to the person',
  erased: 'because the person was erased',
}

/** What happened in a handoff. What either side said is not shown. */
function handoffEntries(handoff: TracedHandoff): TraceEntry[] {
  const { id, node, test, openedAt, closedAt, closedBy, closedByName, endReason, replies } = handoff
  const by = node === null ? 'the assistant' : node
  const opened = `Handoff ${id}${test ? ', a test,' : ''} was opened by ${by}.`
  const entries = [{ at: openedAt, text: opened }, ...replies.flatMap(replyEntries)]
  if (closedAt === null) return [...entries, { at: null, text: `Handoff ${id} is open.` }]
  const who = endReason === 'closed' ? ` (${actorView(closedBy!, closedByName).name})` : ''
  return [...entries, { at: closedAt, text: `Handoff ${id} was closed ${ends[endReason!]}${who}.` }]
}

function replyEntries(reply: TracedReply): TraceEntry[] {
  const { number, createdAt, actor, actorName } = reply
  const by = actor === null ? 'a member of the unit' : actorView(actor, actorName).name
  return [
    { at: createdAt, text: `Reply ${number} was stored by ${by}.` },
    ...tryEntries(`Reply ${number}`, reply),
  ]
}
