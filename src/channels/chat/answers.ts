import { z } from 'zod'
import type { Outcome } from '../channel.ts'
import type { Answer } from './client.ts'
import type { ChatEndpoint } from './endpoint.ts'

/** A send call; `to` lists its addresses in request order. */
export type SentCall = { endpoint: ChatEndpoint; to: string[] }

type Meaning = (call: SentCall, answer: Answer) => Outcome

/**
 * Meanings of statuses (https://developers.line.biz/en/reference/messaging-api/#status-codes); others are classified by
 * their first digit.
 */
const meanings: Record<number, Meaning> = {
  400: refused,
  408: (_, { status, headers }) => down(status, headers, true), // the request did not arrive completely
  409: alreadyAccepted,
  413: () => ({ kind: 'refused', code: 'too_large' }),
  429: tooManyRequests,
}

/** Codes of refusals, by the text of the provider's message; the first match counts. */
const refusalCodes: [RegExp, string][] = [
  [/invalid reply token/i, 'invalid_reply_token'],
  [/retry[ -]key/i, 'invalid_retry_key'],
  [/failed to send messages/i, 'unreachable_recipient'],
  [/'to(\[\d+\])?'/, 'invalid_recipient'],
  [/\bmessages?\b.* invalid|request body has \d+ error/i, 'invalid_message'],
]

/** Bodies of accepted calls: push and reply list the sent messages, multicast returns an empty object. */
const SentMessages = z.object({ sentMessages: z.array(z.object({ id: z.string() })) })
const acceptances = { push: SentMessages, reply: SentMessages, multicast: z.object({}) }

/** The outcome of a send call, classified from the provider's answer. */
export function outcomeOf(call: SentCall, answer: Answer): Outcome {
  const { status, headers } = answer
  const requestId = headers['x-line-accepted-request-id'] ?? headers['x-line-request-id']
  const meaning = meanings[status] ?? (status < 300 ? accepted : status < 500 ? misconfigured : broken)
  return { ...meaning(call, answer), ...(requestId && { requestId }) }
}

function accepted({ endpoint }: SentCall, { body }: Answer): Outcome {
  return acceptances[endpoint].safeParse(body).success ? { kind: 'accepted' } : unexpected(false)
}

function refused({ to }: SentCall, { body }: Answer): Outcome {
  const refusal = Refusal.safeParse(body)
  if (!refusal.success) return unexpected(true)
  const failed = namedRecipients(to, refusal.data)
  if (failed.length > 0) return { kind: 'refused', code: 'invalid_recipient', failed }
  const code = refusalCodes.find(([words]) => words.test(refusal.data.message))?.[1]
  return { kind: 'refused', code: code ?? 'rejected' }
}

/** The retry key was used within 24 hours: an earlier try was accepted. */
function alreadyAccepted(_: SentCall, { headers, body }: Answer): Outcome {
  const message = Refusal.safeParse(body).data?.message ?? ''
  const isDuplicate = headers['x-line-accepted-request-id'] !== undefined || /already accepted/i.test(message)
  return isDuplicate ? { kind: 'accepted' } : unexpected(false)
}

/** Two meanings that only the text distinguishes: the monthly limit is exhausted, or calls come too fast. */
function tooManyRequests(_: SentCall, { headers, body }: Answer): Outcome {
  const message = Refusal.safeParse(body).data?.message ?? ''
  return /monthly limit|limit for additional messages/i.test(message)
    ? { kind: 'quota' }
    : { kind: 'throttled', ...waiting(headers) }
}

/** The token, the account's plan or permissions, or the provider's URL is wrong. */
function misconfigured(_: SentCall, { status }: Answer): Outcome {
  return { kind: 'misconfigured', code: `http_${status}` }
}

function broken(_: SentCall, { status, headers }: Answer): Outcome {
  return down(status, headers, false)
}

function down(status: number, headers: Answer['headers'], certain: boolean): Outcome {
  return { kind: 'unavailable', code: `http_${status}`, certain, ...waiting(headers) }
}

/** The answer is not in the provider's format: it comes from a gateway, or is truncated. */
function unexpected(certain: boolean): Outcome {
  return { kind: 'unavailable', code: 'unexpected_answer', certain }
}

function waiting(headers: Answer['headers']): { retryAfterMs?: number } {
  const ms = retryAfterMs(headers['retry-after'], Date.now())
  return ms === undefined ? {} : { retryAfterMs: ms }
}

/**
 * A refusal: its reason, and for some the property at fault
 * (https://developers.line.biz/en/reference/messaging-api/#error-responses).
 */
const Refusal = z.object({
  message: z.string(),
  details: z.array(z.object({ message: z.string().optional(), property: z.string().optional() })).optional(),
})
type Refusal = z.infer<typeof Refusal>

/**
 * Which addresses of the call a refusal names as its reason: in a detail's property (`to[3]`) or in the message
 * (`The property, 'to[3]', in the request body is invalid`). A bare `to` names the one recipient of a push.
 */
function namedRecipients(to: string[], { message, details = [] }: Refusal): string[] {
  const quoted = [...message.matchAll(/'([^']*)'/g)].map(([, property]) => property)
  const properties = [...quoted, ...details.map(({ property }) => property)]
  const named = properties.flatMap((property = '') => {
    if (property === 'to' && to.length === 1) return to
    const index = /^to\[(\d+)\]$/.exec(property)?.[1]
    return index === undefined ? [] : to.slice(Number(index), Number(index) + 1)
  })
  return [...new Set(named)]
}

/**
 * How long a Retry-After header asks to wait, in ms from `now`: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined
 * if it is missing or invalid; 0 for a date in the past.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1_000
  const moment = Date.parse(header)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}
