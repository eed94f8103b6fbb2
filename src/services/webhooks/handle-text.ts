import type { ChatReply } from '../../channels/chat/send.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { type ChatEvent, TypedText } from '../../contract/webhooks.ts'
import type { Trx } from '../../db/connect.ts'
import { addressChannel, type WebhookEvent } from '../../db/queries/event/webhook.ts'
import {
  type AnsweredRun,
  findAnsweredRun,
  findNewestRun,
  lockAnsweredRun,
  lockNewestQuestion,
  lockOpenQuestion,
} from '../../db/queries/scenario-run/answer.ts'
import { endRuns } from '../../db/queries/scenario-run/end.ts'
import { findLatestOn } from '../../db/queries/subject/latest-sent.ts'
import { placeLabelled } from '../../domain/content/option.ts'
import { isOutdated, momentTyped } from '../../domain/event/moment-typed.ts'
import { type AutoReply, isExitKeyword, isSettingsKeyword } from '../../domain/scenario/auto-reply.ts'
import {
  optionBegun,
  optionLabelled,
  optionNamed,
  type QuestionOption,
  withdrawingQuestion,
} from '../../domain/scenario/question.ts'
import { type ChatEnding, plainReply } from '../recipients/acknowledge.ts'
import type { LinkServices } from '../recipients/settings-link.ts'
import { ending, momentOf, replyOf } from '../scenario-runs/handle-tap.ts'
import {
  type GivenAnswer,
  isOpen,
  keywordOf,
  questionMessages,
  questionOptions,
  recordAnswer,
} from '../scenario-runs/record-answer.ts'
import { startByKeyword, startByOther } from '../scenario-runs/start-by-person.ts'
import { telling } from '../wake-scenario-runs.ts'
import { guide, showSettings } from './guide.ts'
import { findReceived, pressInMessage } from './press-in-message.ts'

/**
 * Handles what a person typed or sent. It goes to the first that fits (docs/design/conversations.md): the label of an option
 * of the question sent last, if that is open; leaving; the settings; another option of it, its field for texts while it is
 * open and nothing else was sent; a button of the message sent last; a keyword; a question that is over; an option of an
 * earlier question that is still open; the scenario for the rest; a sentence that guides. While a question of theirs is open,
 * what does not fit is answered with an example; a text that comes too late for its question is answered so. Only what was
 * sent when it was typed counts; a text that the provider delivers more than an hour late still answers questions of
 * conversations, and begins nothing.
 */
export async function handleText(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string,
  services: LinkServices,
): Promise<ChatEnding> {
  const text = TypedText.safeParse((event.payload as ChatEvent).message).data?.text ?? null
  const [typed, outdated] = [momentTyped(event), isOutdated(event)]
  const run = await lockNewestQuestion(trx, subjectId, typed)
  const open = run && isOpen(run, event.receivedAt)
  const labelled = open && text !== null && optionLabelled(questionOptions(run), text)
  const left = text !== null && !labelled && isExitKeyword(text) && (await leave(trx, event, subjectId))
  if (left) return left
  if (text !== null && !labelled && isSettingsKeyword(text))
    return showSettings(trx, event, subjectId, services)
  const option = run && text !== null ? meantOption(run, text) : null
  const take = async (of: AnsweredRun, answer: GivenAnswer) =>
    ending(event, of, await recordAnswer(trx, of, answer, momentOf(event)))
  const answer: GivenAnswer = option ? { option, text: null } : { option: null, text }
  const fits = run && (option || (run.newest && text !== null && takesText(run)))
  if (fits && open) return take(run, answer)
  const pressed =
    text === null || outdated ? null : await pressLabelled(trx, event, { subjectId, text, typed }, services)
  if (pressed) return { ...pressed, answers: false }
  const started = text === null || outdated ? null : await startByKeyword(trx, event, subjectId, text)
  if (started) return { ...started, answers: false }
  if (fits && !outdated) return take(run, answer)
  const waiting = open ? run : await lockOpenQuestion(trx, subjectId, typed)
  if (!waiting || !isOpen(waiting, event.receivedAt)) {
    if (outdated) return { outcome: 'outdated' }
    const tooEarly = await answerEarly(trx, event, subjectId)
    if (tooEarly) return tooEarly
    if (run && isGoingOn(run)) return take(run, answer)
    const other = (await startByOther(trx, event, subjectId)) ?? (await guide(trx, event, subjectId))
    return { ...other, answers: false }
  }
  const meant = text === null ? null : meantOption(waiting, text)
  if (meant) return take(waiting, { option: meant, text: null })
  const example = questionOptions(waiting)[0]?.label ?? null
  const words =
    text === null ? ({ kind: 'unsupported' } as const) : ({ kind: 'unknown_option', example } as const)
  return { outcome: words.kind, reply: replyOf(event, waiting, words) }
}

/** The option that a text names; where a question takes texts as well, only by the whole of it. */
function meantOption(run: AnsweredRun, text: string): QuestionOption | null {
  const options = questionOptions(run)
  return optionNamed(options, text) ?? (takesText(run) ? null : optionBegun(options, text))
}

/** Presses the button of the message sent last that the text names; null: it has none of that label. */
async function pressLabelled(
  trx: Trx,
  event: WebhookEvent,
  { subjectId, text, typed }: { subjectId: string; text: string; typed: Date },
  services: LinkServices,
): Promise<ChatEnding | null> {
  const messageId = await findLatestOn(trx, {
    subjectId,
    channel: addressChannel(event.channel),
    until: typed,
  })
  const message = messageId === undefined ? undefined : await findReceived(trx, { messageId, subjectId })
  const place = message && placeLabelled(message.message.frozen ?? [], text)
  return message && place ? pressInMessage(trx, event, message, { place, undoes: null, services }) : null
}

/** Whether a run is on its way from a question that was just answered. */
function isGoingOn({ state, node, askedNode, answer }: AnsweredRun): boolean {
  return answer !== null && (state === 'running' || (state === 'waiting' && node === askedNode))
}

/** Tells a person that the question they have open was sent after they typed; null: they have none. */
async function answerEarly(trx: Trx, event: WebhookEvent, subjectId: string): Promise<ChatEnding | null> {
  const question = await lockOpenQuestion(trx, subjectId, null)
  if (!question || !isOpen(question, event.receivedAt)) return null
  return { outcome: 'early', reply: replyOf(event, question, { kind: 'early' }) }
}

/** Ends the conversation that a person is in; null if there is none. What is outdated ends none that has begun since. */
async function leave(trx: Trx, event: WebhookEvent, subjectId: string): Promise<ChatEnding | null> {
  const runId = await findNewestRun(trx, subjectId, isOutdated(event) ? momentTyped(event) : null)
  if (runId === undefined) return null
  const key = { runId, subjectId, node: '' }
  const run = await lockAnsweredRun(trx, key)
  const ended = await endRuns(trx, { ids: [runId] }, { state: 'cancelled', reason: 'left' })
  if (!run || ended.ids.length === 0) return null
  const left = { outcome: 'left', wakes: telling('cancelled', ended.toWake) }
  if (run.place === null) return { ...left, reply: replyOf(event, run, { kind: 'left' }) }
  const node = withdrawingQuestion(run.content)?.id ?? ''
  const after = await findAnsweredRun(trx, { ...key, node })
  if (after?.place !== 'registered') return { ...left, reply: replyOf(event, run, { kind: 'left_waiting' }) }
  return { ...left, reply: offerToWithdraw(event, after) }
}

/** People also type 取消 to give up a place, which the end of a conversation leaves to them: the buttons for it follow. */
function offerToWithdraw(event: WebhookEvent, run: AnsweredRun): ChatReply | null {
  const { id: s, askedNode: m, locale, sender, patternEnds, now } = run
  const [question] = questionMessages(run)
  const takesMore = patternEnds !== null && patternEnds > now && run.startable
  const asks = question?.kind === 'buttons' || question?.kind === 'quickReply'
  const choices = takesMore && asks && isRendered(question) ? { question, s, m } : null
  const words: AutoReply = {
    kind: 'left_registered',
    keyword: takesMore ? keywordOf(run) : null,
    choices: choices !== null,
  }
  return plainReply(event, { locale, sender }, words, choices)
}

/** Whether a question is as it is sent: one that the run has not come to may still have variables. */
function isRendered(question: CanonicalMessage): boolean {
  return !/\{[{%]/.test(JSON.stringify(question))
}

function takesText({ content, askedNode }: AnsweredRun): boolean {
  return content.edges.some(({ from, when }) => from === askedNode && when?.kind === 'text')
}
