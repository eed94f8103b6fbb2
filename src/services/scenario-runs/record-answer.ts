import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Trx } from '../../db/connect.ts'
import { type AnsweredRun, insertScenarioAnswer } from '../../db/queries/scenario-run/answer.ts'
import { endRuns } from '../../db/queries/scenario-run/end.ts'
import type { Opening } from '../../db/tables/scenario.ts'
import type { Option } from '../../domain/content/option.ts'
import type { AutoReply } from '../../domain/scenario/auto-reply.ts'
import { pushesSpent } from '../../domain/scenario/choose-way.ts'
import { answersUntil, optionsAt, type QuestionOption } from '../../domain/scenario/question.ts'
import type { Switched } from '../recipients/mute.ts'
import { applyAction } from '../recipients/taps.ts'
import { type ToldRun, telling } from '../wake-scenario-runs.ts'
import { begun, startByButton, startWithAnswer } from './start-by-person.ts'

/**
 * When a person said something, and by which event of the chat; null: on a page behind a link in a mail. `opening`: what they
 * chose there of the scenario that it starts.
 */
export type ReceivedAt = { at: Date; webhookEventId: string | null; opening?: Opening | null }

/** What a person chose or typed. */
export type GivenAnswer = { option: QuestionOption | null; text: string | null }

/**
 * The outcome of an answer. `words`: the reply; none: no reply. `switched`: what a button did to a category, which is the
 * reply. `wakes`: the runs to wake after the commit. `isStored`: it was stored, and its event ended with that.
 */
export type AnswerResult = {
  outcome: string
  words?: AutoReply
  switched?: Switched
  wakes?: ToldRun[]
  isStored?: boolean
}

/**
 * Takes a button that a run has shown, in the chat or in a mail: stores it as the answer if the question is open, so that
 * it counts whatever happens next, and performs what other buttons do, but not for a test. Requires the lock of the run.
 */
export async function pressButton(
  trx: Trx,
  run: AnsweredRun,
  option: Option,
  moment: ReceivedAt,
): Promise<AnswerResult> {
  if (option.starts !== undefined) return leaveFor(trx, run, option.starts, moment)
  const words = { kind: 'taken', label: option.label } as const
  const done = run.test ? null : await applyAction(trx, run, option)
  if (done?.is === 'muted' && done.switched) return { outcome: done.is, switched: done.switched }
  if (done) return { outcome: done.is, words }
  const answer = answeredBy(run, option)
  return answer
    ? recordAnswer(trx, run, { option: answer, text: null }, moment)
    : { outcome: 'recorded', words }
}

/**
 * A button that starts another scenario ends the run that showed it, if the other can start. That of its own scenario
 * begins it again, unless that waits for a place. A test ends with it, as with a jump.
 */
async function leaveFor(
  trx: Trx,
  { id, unitId, subjectId, test }: AnsweredRun,
  scenario: string,
  { webhookEventId, opening = null }: ReceivedAt,
): Promise<AnswerResult> {
  const page = webhookEventId === null ? { page: { opening } } : {}
  const start = { unitId, subjectId, webhookEventId, leaving: id, ...page }
  const started = test ? [] : await startByButton(trx, start, scenario)
  if (!started) return { outcome: 'not_active', words: { kind: 'not_active' } }
  if (started.some((run) => run.id === id)) return { outcome: 'started', wakes: started }
  const { toWake } = await endRuns(trx, { ids: [id] }, { state: 'done', reason: null })
  return begun([...telling('cancelled', toWake), ...started])
}

/** Stores an answer, or says why it does not count. The same option again is silent. Requires the lock of the run. */
export async function recordAnswer(
  trx: Trx,
  run: AnsweredRun,
  answer: GivenAnswer,
  { at, webhookEventId }: ReceivedAt,
): Promise<AnswerResult> {
  const status = questionStatus(run, answer.option, at)
  switch (status.is) {
    case 'given':
      return { outcome: 'repeated' }
    case 'answered':
      return { outcome: 'repeated', words: { kind: 'answered', label: status.label } }
    case 'over':
    case 'closed':
    case 'registered':
    case 'pushes_spent':
      return { outcome: 'late', words: { kind: status.is } }
    case 'registered_before':
      return { outcome: 'late', words: { kind: status.is, keyword: keywordOf(run) } }
    case 'again': {
      const started = await startWithAnswer(trx, run, { option: status.option, webhookEventId })
      return started
        ? { outcome: 'answered', wakes: started, isStored: true }
        : { outcome: 'late', words: { kind: 'registered_before', keyword: keywordOf(run) } }
    }
    case 'open': {
      const { option, text } = answer
      const { id: runId, unitId, askedNode: node, turnNumber: turn } = run
      const [optionId, data] = [option?.id ?? null, option?.data ?? null]
      const onPage = webhookEventId === null
      await insertScenarioAnswer(trx, { runId, node, optionId, text, data, webhookEventId, onPage })
      const wakes: ToldRun[] = [{ id: runId, unitId, name: 'answered', ...(turn !== null && { turn }) }]
      return { outcome: 'answered', wakes, isStored: true }
    }
  }
}

/**
 * Where a question stands for an option: open, answered by that option, or by something else (`label`: of an option, null:
 * of a text), or over. In a pattern it is over because that is `closed`, or for who is `registered`, with a conversation
 * that goes on, or `registered_before` in one that has ended: there their own buttons go on working (`again`) by a new run,
 * until the deadline.
 */
type QuestionStatus =
  | { is: 'open' | 'given' | 'over' | 'closed' | 'registered' | 'registered_before' | 'pushes_spent' }
  | { is: 'answered'; label: LocalisedText | null }
  | { is: 'again'; option: QuestionOption }

/** Where the question of a run stands at a moment, for who chooses `option`; null: who types a text. */
export function questionStatus(run: AnsweredRun, option: QuestionOption | null, at: Date): QuestionStatus {
  const { answer } = run
  if (!answer) {
    const is = isOpen(run, at) ? 'open' : overBecause(run)
    return is === 'registered_before' && option && mayGoOn(run) ? { is: 'again', option } : { is }
  }
  if (option && answer.optionId === option.id) return { is: 'given' }
  return {
    is: 'answered',
    label: questionOptions(run).find(({ id }) => id === answer.optionId)?.label ?? null,
  }
}

function overBecause({ ending, patternEnds, place, goesOn, now }: AnsweredRun) {
  if (ending === pushesSpent) return pushesSpent
  if (patternEnds && patternEnds <= now) return 'closed'
  if (place !== 'registered' && place !== 'unaware') return 'over'
  return goesOn ? 'registered' : 'registered_before'
}

/** The first keyword by which people begin the scenario of a run; null: it has none. */
export function keywordOf({ content }: AnsweredRun): string | null {
  return content.triggers?.keywords?.[0] ?? null
}

/** Whether a new run could take up a question of one that has ended: it would ask the same. */
function mayGoOn({ startable, test, content, askedNode }: AnsweredRun): boolean {
  return startable && !test && content.nodes.some(({ id, kind }) => id === askedNode && kind === 'question')
}

/** Whether the question still takes what was said at this moment. A run that says farewell takes nothing. */
export function isOpen(run: AnsweredRun, at: Date): boolean {
  const { state, ending, node, askedNode, answer } = run
  if (answer || ending !== null || node !== askedNode || (state !== 'running' && state !== 'waiting'))
    return false
  const until = closesAt(run)
  return until === null || at.getTime() <= until
}

/** The deadline of a pattern may have changed since the run has read it. In ms since the epoch; null: not known yet. */
function closesAt({ deadline, patternEnds, turnClosedAt, content, askedNode }: AnsweredRun): number | null {
  const node = content.nodes.find(({ id }) => id === askedNode)
  if (!patternEnds || !turnClosedAt || (node?.kind !== 'question' && node?.kind !== 'register'))
    return deadline?.getTime() ?? null
  return answersUntil(node, turnClosedAt.getTime(), patternEnds.getTime())
}

/** The options of the question that is asked about, as it was sent. */
export function questionOptions(run: AnsweredRun): QuestionOption[] {
  return optionsAt(
    run.content.nodes.find(({ id }) => id === run.askedNode),
    questionMessages(run),
  )
}

/** What the node that is asked about has said; a question that the run has not come to: as it is written. */
export function questionMessages({ content, askedNode, says }: AnsweredRun): CanonicalMessage[] {
  const node = content.nodes.find(({ id }) => id === askedNode)
  return says?.messages ?? (node?.kind === 'question' ? [node.message] : [])
}

/** The option of the question that a button selects; undefined: it answers no question. */
export function answeredBy(run: AnsweredRun, { answers }: Option): QuestionOption | undefined {
  return questionOptions(run).find(({ id }) => id === answers)
}
