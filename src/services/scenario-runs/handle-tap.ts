import { readUnmute, tap } from '../../channels/chat/taps.ts'
import type { PostbackData } from '../../contract/messages/content.ts'
import type { Trx } from '../../db/connect.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import { type AnsweredRun, findLateReader, lockAnsweredRun } from '../../db/queries/scenario-run/answer.ts'
import { findOption } from '../../domain/content/option.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { AutoReply } from '../../domain/scenario/auto-reply.ts'
import { type ChatEnding, mutedReply, plainReply } from '../recipients/acknowledge.ts'
import { switchCategory } from '../recipients/mute.ts'
import { type LinkServices, settingsLink } from '../recipients/settings-link.ts'
import { type AnswerResult, pressButton, questionMessages, type ReceivedAt } from './record-answer.ts'

/** Hears the tap of a button that a run has shown in the chat. */
export async function handleTap(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string,
  { tapped, services }: { tapped: PostbackData; services: LinkServices },
): Promise<ChatEnding> {
  const { s, m = '', n, o = '' } = tapped
  const runId = idOrNull(s)
  const run = runId === null ? undefined : await lockAnsweredRun(trx, { runId, subjectId, node: m })
  if (!run) {
    const reader = runId === null ? undefined : await findLateReader(trx, { runId, subjectId })
    if (!reader) return { outcome: 'wrong_recipient' }
    return { outcome: 'late', reply: plainReply(event, reader, { kind: 'over' }) }
  }
  const option = findOption(questionMessages(run), Number(n), o)
  if (!option) return { outcome: 'unknown_option', reply: replyOf(event, run, { kind: 'over' }) }
  const undoes = readUnmute(tapped)
  const switched = undoes && (await switchCategory(trx, { subjectId, option }, undoes))
  const result: AnswerResult = switched
    ? { outcome: switched.kind, switched }
    : await pressButton(trx, run, option, momentOf(event))
  if (!result.switched) return ending(event, run, result)
  const settings = run.turnId === null ? null : settingsLink(services, { waveId: run.turnId, subjectId })
  const muted = tap({ s: run.id, m }, Number(n), o)
  return {
    outcome: result.outcome,
    reply: mutedReply(event, run, result.switched, { muted, settings }),
  }
}

/** What follows from an answer: its words are a reply by the event's token. */
export function ending(
  event: WebhookEvent,
  run: AnsweredRun,
  { outcome, words, wakes = [], isStored = false }: AnswerResult,
): ChatEnding {
  return { outcome, wakes, isStored, ...(words && { reply: replyOf(event, run, words) }) }
}

/** When and by what an answer came. */
export function momentOf({ id, receivedAt }: WebhookEvent): ReceivedAt {
  return { at: receivedAt, webhookEventId: id }
}

/** A sentence to the person of a run, as its unit appears. */
export function replyOf(
  event: WebhookEvent,
  { locale, sender }: Pick<AnsweredRun, 'locale' | 'sender'>,
  words: AutoReply,
) {
  return plainReply(event, { locale, sender }, words)
}
