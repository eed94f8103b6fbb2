import type { PostbackData } from '../../contract/messages/content.ts'
import type { ChatEvent } from '../../contract/webhooks/webhook.ts'
import type { Trx } from '../../db/connect.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import {
  findNewestRun,
  type HeardRun,
  insertScenarioAnswer,
  lockHeardRun,
  lockNewestQuestion,
} from '../../db/queries/scenario/answer.ts'
import { endRuns } from '../../db/queries/scenario/end.ts'
import { findOption } from '../../domain/option.ts'
import { folded, optionNamed, optionsOf, type QuestionOption } from '../../domain/scenario/question.ts'
import { leavingTexts, type WordsBack, wordsBack } from '../../domain/scenario/words-back.ts'
import { applyAction } from '../recipients/taps.ts'
import { idOrNull } from '../validation-error.ts'
import { plainReply } from '../webhooks/acknowledge.ts'
import type { ChatEnding } from '../webhooks/chat.ts'
import { startByButton, startByKeyword } from './start-by-person.ts'

/**
 * Hears the tap of a button that a run has shown: stores it as the answer if the question is open, so that it counts
 * whatever happens next, and performs what other buttons do.
 */
export async function hearTap(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string,
  { s, m = '', n, o = '' }: PostbackData,
): Promise<ChatEnding> {
  const runId = idOrNull(s)
  const run = runId === null ? undefined : await lockHeardRun(trx, { runId, subjectId, node: m })
  if (!run) return { outcome: 'not_theirs' }
  const option = findOption(run.says?.messages ?? [], Number(n), o)
  if (!option) return { outcome: 'unknown_option' }
  if (option.starts !== undefined) return leaveFor(trx, event, subjectId, run, option.starts)
  const done = await applyAction(trx, { subjectId, unitId: run.unitId }, option)
  if (done !== null) return { outcome: done }
  const answer = questionOptions(run).find(({ id }) => id === option.id)
  return answer ? take(trx, event, run, { option: answer, text: null }) : { outcome: 'recorded' }
}

/**
 * Hears what a person typed or sent. It goes to the first that fits: leaving, an option of the question told last, its
 * field for texts while it is open and nothing else was told, a keyword. The rest is kept; a text that comes too late for
 * its field is told so.
 */
export async function hearText(trx: Trx, event: WebhookEvent, subjectId: string): Promise<ChatEnding> {
  const { message } = event.payload as ChatEvent
  const text = message?.type === 'text' ? (message.text ?? '') : null
  if (text !== null && leavingTexts.includes(folded(text))) return leave(trx, event, subjectId)
  const run = await lockNewestQuestion(trx, subjectId)
  const option = run && text !== null ? optionNamed(questionOptions(run), text) : null
  if (run && option) return take(trx, event, run, { option, text: null })
  const typed = run?.newest && text !== null && takesText(run) ? { run, text } : null
  if (typed && isOpen(typed.run, event)) return take(trx, event, typed.run, { option: null, text })
  const started = text === null ? null : await startByKeyword(trx, event, subjectId, text)
  if (started) return started
  if (typed) return take(trx, event, typed.run, { option: null, text })
  if (!run?.newest || !isOpen(run, event)) return { outcome: 'recorded' }
  return text === null
    ? { outcome: 'unsupported', reply: replyOf(event, run, { kind: 'unsupported' }) }
    : { outcome: 'unknown_option', reply: replyOf(event, run, { kind: 'unknown_option' }) }
}

/** A button that starts another scenario ends the run that showed it, if the other can start. */
async function leaveFor(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string,
  run: HeardRun,
  scenario: string,
): Promise<ChatEnding> {
  const start = { unitId: run.unitId, subjectId, webhookEventId: event.id }
  const started = await startByButton(trx, start, scenario)
  if (!started) return { outcome: 'not_active', reply: replyOf(event, run, { kind: 'not_active' }) }
  const ended = await endRuns(trx, { ids: [run.id] }, { state: 'done', reason: null })
  return { outcome: 'started', wakes: [...ended, ...started] }
}

async function leave(trx: Trx, event: WebhookEvent, subjectId: string): Promise<ChatEnding> {
  const runId = await findNewestRun(trx, subjectId)
  if (runId === undefined) return { outcome: 'recorded' }
  const run = await lockHeardRun(trx, { runId, subjectId, node: '' })
  const ended = await endRuns(trx, { ids: [runId] }, { state: 'cancelled', reason: 'left' })
  if (!run || ended.length === 0) return { outcome: 'recorded' }
  return { outcome: 'left', reply: replyOf(event, run, { kind: 'left' }), wakes: ended }
}

/** What a person chose or typed. */
type Said = { option: QuestionOption | null; text: string | null }

/** Stores an answer, or says why it does not count. The same option again is silent. */
async function take(
  trx: Trx,
  event: WebhookEvent,
  run: HeardRun,
  { option, text }: Said,
): Promise<ChatEnding> {
  const { id: runId, heard: node, answer } = run
  if (answer) {
    if (option && answer.optionId === option.id) return { outcome: 'repeated' }
    const label = questionOptions(run).find(({ id }) => id === answer.optionId)?.label ?? null
    return { outcome: 'repeated', reply: replyOf(event, run, { kind: 'answered', label }) }
  }
  if (!isOpen(run, event)) return { outcome: 'late', reply: replyOf(event, run, { kind: 'over' }) }
  const stored = { runId, node, optionId: option?.id ?? null, text, webhookEventId: event.id }
  await insertScenarioAnswer(trx, stored)
  return { outcome: 'answered', wakes: [runId] }
}

/** Whether the question still takes what was said at this moment. */
function isOpen({ state, node, heard, deadline, answer }: HeardRun, { receivedAt }: WebhookEvent): boolean {
  if (answer || node !== heard || (state !== 'running' && state !== 'waiting')) return false
  return deadline === null || receivedAt <= deadline
}

function questionOptions({ content, heard, says }: HeardRun): QuestionOption[] {
  const node = content.nodes.find(({ id }) => id === heard)
  return node?.kind === 'question' ? (says?.messages ?? [node.message]).flatMap(optionsOf) : []
}

function takesText({ content, heard }: HeardRun): boolean {
  return content.edges.some(({ from, when }) => from === heard && when?.kind === 'text')
}

function replyOf(event: WebhookEvent, { locale, sender }: HeardRun, words: WordsBack) {
  return plainReply(event, { locale, sender }, wordsBack(words))
}
