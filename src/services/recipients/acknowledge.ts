import { compileChat, senderIn } from '../../channels/chat/compile.ts'
import { flexMessage, quietBubble } from '../../channels/chat/flex.ts'
import type { ChatReply } from '../../channels/chat/send.ts'
import { type OptionTap, type Origin, unmuteTap } from '../../channels/chat/taps.ts'
import type { ChatAction, ChatMessage } from '../../channels/chat/wire.ts'
import { Cleared } from '../../channels/cleared.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { ChatEvent } from '../../contract/webhooks.ts'
import type { TappedMessage } from '../../db/queries/answer/answer.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import {
  acknowledgementOf,
  defaultAcknowledgement,
  type TapResult,
} from '../../domain/content/acknowledgement.ts'
import { localise } from '../../domain/content/localise.ts'
import { mutedButtons, mutedText } from '../../domain/content/muted.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { type AutoReply, autoReply } from '../../domain/scenario/auto-reply.ts'
import { type AcknowledgementOutcome, acknowledgements } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'
import type { ToldRun } from '../wake-scenario-runs.ts'
import type { Switched } from './mute.ts'

/**
 * The outcome of a chat event, and what follows once it is stored: a reply, and runs of scenarios to wake. `answers`: it is
 * about a question of a scenario. `isStored`: what it said was stored, and the event ended, by one statement.
 */
export type ChatEnding = {
  outcome: string
  reply?: ChatReply | null
  wakes?: ToldRun[]
  answers?: boolean
  isStored?: boolean
}

/** The provider's tokens work for a minute, of which the webhook and the queue take a part (ms). */
const oldestTokenMs = 30_000
/** Replies under way in a process; a provider that does not answer holds each of them for ten seconds. */
const inFlightMax = 100

/**
 * The reply to a tap, by the token of its event: in the words of the category, as the unit appears. Null if the category
 * has none, and if the event has no token or came too late for it.
 */
export function replyTo(
  event: WebhookEvent,
  { acknowledgement, ...reader }: Pick<TappedMessage, 'acknowledgement' | 'locale' | 'sender'>,
  result: TapResult,
): ChatReply | null {
  if (acknowledgement === null) return null
  const { text, approval } = acknowledgement
  const sentence = acknowledgementOf(text, reader.locale, result)
  const isOwn = result.kind !== 'answered' || canonicalJson(text) === canonicalJson(defaultAcknowledgement)
  if (isOwn) return textReply(event, reader, sentence, (messages) => Cleared.byProduct(messages, result.kind))
  if (approval === null) return null
  return textReply(event, reader, sentence, (messages) => Cleared.byApproval(messages, approval))
}

/** A question of the run `s` at its node `m`, the options of which a sentence offers once more. */
type Choices = Origin & { question: Extract<CanonicalMessage, { kind: 'buttons' | 'quickReply' }> }

/**
 * The reply to what a person said to a scenario, if its event has a token that is young enough. `choices`: shown below it
 * as buttons, so that they stay.
 */
export function plainReply(
  event: WebhookEvent,
  to: Reader,
  words: AutoReply,
  choices: Choices | null = null,
): ChatReply | null {
  const text = autoReply(words)
  const clear = (messages: ChatMessage[]) => Cleared.byProduct(messages, words.kind)
  if (!choices) return textReply(event, to, localise(to.locale, text), clear)
  const { question, ...origin } = choices
  const content = { messages: [{ ...question, text }], wave: 'only' as const, unit: to, quickReplies: false }
  const { locales } = compileChat(content, origin)
  return replyWith(event, clear(locales[to.locale].parts.flat()))
}

/**
 * The reply to a button that turned a category off, or on again: what it did, a button that undoes it, and the settings.
 * `muted`: that button. `settings`: the address of the person's settings; null: there is none.
 */
export function mutedReply(
  event: WebhookEvent,
  { locale, sender }: Reader,
  switched: Switched,
  { muted, settings }: { muted: OptionTap; settings: string | null },
): ChatReply | null {
  const text = localise(locale, mutedText(switched))
  const { undo, settings: label } = mutedButtons[locale]
  const data = JSON.stringify(unmuteTap(muted, switched.undoes))
  const actions: ChatAction[] = [
    ...(switched.undoes.length > 0
      ? [{ type: 'postback', label: undo, data, displayText: undo } as const]
      : []),
    ...(settings === null ? [] : [{ type: 'uri', label, uri: settings } as const]),
  ]
  const clear: Clear = (messages) => Cleared.byProduct(messages, switched.kind)
  if (actions.length === 0) return textReply(event, { locale, sender }, text, clear)
  return replyAs(event, { locale, sender }, flexMessage([text], quietBubble(text, actions)), clear)
}

/** The reply to who asks for their settings: a button that opens them. */
export function settingsReply(event: WebhookEvent, to: Reader, settings: string): ChatReply | null {
  const text = localise(to.locale, autoReply({ kind: 'settings' }))
  const button = { type: 'uri', label: mutedButtons[to.locale].settings, uri: settings } as const
  const clear: Clear = (messages) => Cleared.byProduct(messages, 'settings')
  return replyAs(event, to, flexMessage([text], quietBubble(text, [button])), clear)
}

/** Who reads a reply, and as whom the unit appears; null: as the account itself. */
type Reader = Pick<TappedMessage, 'locale' | 'sender'>

type Clear = (messages: ChatMessage[]) => Cleared<ChatMessage[]>

function textReply(event: WebhookEvent, to: Reader, text: string, clear: Clear): ChatReply | null {
  return replyAs(event, to, { type: 'text', text }, clear)
}

function replyAs(
  event: WebhookEvent,
  { locale, sender }: Reader,
  message: ChatMessage,
  clear: Clear,
): ChatReply | null {
  return replyWith(event, clear([{ ...message, ...(sender && { sender: senderIn(locale, sender) }) }]))
}

function replyWith(
  { payload, occurredAt }: WebhookEvent,
  messages: Cleared<ChatMessage[]>,
): ChatReply | null {
  const { replyToken } = payload as ChatEvent
  if (typeof replyToken !== 'string' || replyToken === '') return null
  if (Date.now() - occurredAt.getTime() > oldestTokenMs) {
    acknowledgements.inc({ outcome: 'late' })
    return null
  }
  return { replyToken, content: messages }
}

let inFlight = 0

/**
 * Sends a reply once its tap is stored. At most once: it is neither stored nor tried again, and no push takes its place
 * (docs/design/channels.md). Nobody waits for it; how it ended is counted.
 */
export function acknowledge({ replyChat }: Pick<Services, 'replyChat'>, reply: ChatReply): void {
  if (!replyChat) return
  if (inFlight >= inFlightMax) {
    acknowledgements.inc({ outcome: 'dropped' })
    return
  }
  inFlight += 1
  void replyChat(reply)
    .then(({ kind }): AcknowledgementOutcome => (kind === 'accepted' ? 'sent' : 'refused'))
    .catch((): AcknowledgementOutcome => 'refused')
    .then((outcome) => {
      inFlight -= 1
      acknowledgements.inc({ outcome })
    })
}
