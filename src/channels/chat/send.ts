import type { messagingApi } from '@line/bot-sdk'
import type { Outcome } from '../channel.ts'
import { Cleared } from '../cleared.ts'
import type { Reply } from '../connection.ts'
import { outcomeOf, type SentCall } from './answers.ts'
import type { ChatClient, ChatRequest, NoResponse } from './client.ts'
import { endpointFor } from './endpoint.ts'
import type { ChatMessage } from './wire.ts'

/** One provider request to 1 to 500 recipients; `retryKey` (a UUID) makes a retry safe for 24 hours. */
export type ChatCall = { to: string[]; content: Cleared<ChatMessage[]>; retryKey: string }

/**
 * Sends a call: push to one recipient, multicast to several, which is accepted for all or none. Never throws for
 * provider errors.
 */
export function sendChat(client: ChatClient, call: ChatCall, signal?: AbortSignal): Promise<Outcome> {
  const { to, retryKey } = call
  const messages = Cleared.contentFor(call.content, to)
  const endpoint = endpointFor(to.length)
  return attempt(client, { endpoint, to }, signal, {
    headers: { 'x-line-retry-key': retryKey },
    body: endpoint === 'push' ? push(to[0]!, messages) : multicast(to, messages),
  })
}

function push(to: string, messages: ChatMessage[]): messagingApi.PushMessageRequest {
  return { to, messages }
}

function multicast(to: string[], messages: ChatMessage[]): messagingApi.MulticastRequest {
  return { to, messages }
}

/**
 * A reply by reply token: works once, within a minute of the webhook, and cannot be retried (the provider takes no
 * retry key).
 */
export type ChatReply = Parameters<Reply<'chat'>>[0]

/** How a person in the chat is answered by the token of their event. */
export type ReplyToChat = Reply<'chat'>

/** Sends a reply. An unclear outcome stays unclear: without a retry key no second try can resolve it. */
export function replyChat(client: ChatClient, reply: ChatReply, signal?: AbortSignal): Promise<Outcome> {
  const body = { replyToken: reply.replyToken, messages: Cleared.contentFor(reply.content) }
  return attempt(client, { endpoint: 'reply', to: [] }, signal, { body })
}

async function attempt(
  client: ChatClient,
  call: SentCall,
  signal: AbortSignal | undefined,
  request: Pick<ChatRequest, 'headers' | 'body'>,
): Promise<Outcome> {
  const path = `/v2/bot/message/${call.endpoint}`
  const answer = await client.request({ method: 'POST', path, ...request }, signal)
  if ('silent' in answer) return outcomeWithoutResponse(answer)
  return outcomeOf(call, answer)
}

/** Without a connection the failure concerns every recipient: none has been named yet. */
function outcomeWithoutResponse({ code, certain }: NoResponse): Outcome {
  return { kind: 'unavailable', code, certain, ...(code === 'no_connection' && { general: true }) }
}
