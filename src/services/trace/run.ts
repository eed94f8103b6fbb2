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
import { moveEntry } from './move.ts'
import { tryEntries } from './turn.ts'
import { type Bilingual, entry, type TraceEntry, timeOf } from './words.ts'

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
    ...(await movesOf(db, 'scenario_run', run.id)).map(moveEntry),
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
  const by = actorView(startedBy, startedByName).name
  return entry(startedAt, 'run_started', test, version, scenario, by)
}

/** The path, in order; each node is entered at the moment at which the one before it is left. */
function pathEntries(
  { node, enteredAt, leftAt, edge, to }: StepRow,
  index: number,
  errors: NodeError[],
): TraceEntry[] {
  const first = index === 0 ? [entry(enteredAt, 'entered', node)] : []
  if (edge === null) return first
  const failed = errors.find((one) => one.node === node)
  const left = entry(leftAt, 'left', node, wordEdge(edge), failed?.reason ?? null, to!, wordFaults(failed))
  return [...first, left]
}

/** The texts that could not be said at a node: where they stand, and what to do about them. */
function wordFaults(failed: NodeError | undefined): Bilingual {
  const faults = failed?.faults ?? []
  const worded = (language: 'zh-TW' | 'en') =>
    faults
      .map(({ path, channel, message }) => ` ${path}${channel ? ` (${channel})` : ''}: ${message[language]}`)
      .join('')
  return { 'zh-TW': worded('zh-TW'), en: worded('en') }
}

/**
 * By which edge, as a path holds it (contract/scenarios/records.ts): `{"kind":"option","optionId":"yes"}` → ` by option
 * yes`.
 */
function wordEdge(edge: string): Bilingual | null {
  if (edge === 'plain') return null
  if (edge === 'nextNode') return { 'zh-TW': '按鈕', en: 'its button' }
  const { kind, ...facts }: Record<string, unknown> = JSON.parse(edge)
  const words = [kind, ...Object.values(facts)].join(' ')
  return { 'zh-TW': ` ${words} `, en: words }
}

function turnEntries(turn: TracedTurn): TraceEntry[] {
  const { number, firstNode, lastNode, createdAt } = turn
  const says = firstNode === lastNode ? firstNode : `${firstNode} to ${lastNode}`
  const name = { 'zh-TW': `第 ${number} 次發言`, en: `Turn ${number}` }
  return [entry(createdAt, 'turn_says', number, says), ...tryEntries(name, turn)]
}

function lookupEntries({ node, startedAt, endedAt, outcome }: TracedLookup): TraceEntry[] {
  const ended = outcome === null ? [] : [entry(endedAt, 'lookup_ended', node, outcome)]
  return [entry(startedAt, 'looked_up', node), ...ended]
}

function answerEntry({ node, optionId, at }: AnswerOfRun): TraceEntry {
  return entry(at, 'run_answered', node, optionId)
}

function endEntry(
  { state, node, deadline, reason, problem, endedAt, purged }: TracedRun,
  errors: NodeError[],
): TraceEntry {
  if (endedAt === null) return entry(null, 'run_stands', state, node, deadline, problem)
  const failed = state === 'failed' ? errors.find((one) => one.node === node) : undefined
  return entry(endedAt, 'run_ended', node, state, reason, purged, wordFaults(failed))
}

/** What happened in a handoff. What either side said is not shown. */
function handoffEntries(handoff: TracedHandoff): TraceEntry[] {
  const { id, node, test, openedAt, closedAt, closedBy, closedByName, endReason, replies } = handoff
  const entries = [entry(openedAt, 'handoff_opened', id, test, node), ...replies.flatMap(replyEntries)]
  if (closedAt === null) return [...entries, entry(null, 'handoff_open', id)]
  const by = endReason === 'closed' ? actorView(closedBy!, closedByName).name : null
  return [...entries, entry(closedAt, 'handoff_closed', id, endReason!, by)]
}

function replyEntries(reply: TracedReply): TraceEntry[] {
  const { number, createdAt, actor, actorName } = reply
  const by = actor === null ? null : actorView(actor, actorName).name
  const name = { 'zh-TW': `第 ${number} 則回覆`, en: `Reply ${number}` }
  return [entry(createdAt, 'reply_stored', number, by), ...tryEntries(name, reply)]
}
