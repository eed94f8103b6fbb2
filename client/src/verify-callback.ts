import { CarillonError } from './error.ts'
import type { MessageState, MessageStats, Reminder } from './types.ts'

type About = { messageId: string; unitId: string; state: MessageState; version: number }

/** What a callback is told. `timestamp`: when it happened. */
export type CallbackEvent = { timestamp: string } & (
  | { type: 'message.state_changed'; data: About & { from: MessageState } }
  | {
      type: 'message.closed'
      data: About & {
        stats: MessageStats | null
        reminder?: { state: NonNullable<Reminder['state']>; stats: MessageStats | null }
      }
    }
  | { type: 'callback.test'; data: { callbackId: string; unitId: string } }
)

/** Older requests may be somebody's recording of an honest one; seconds (Standard Webhooks). */
const tolerance = 300

/**
 * Checks that a request is Carillon's, and of now, and answers what it says. `body`: the text as it came. Remember
 * `webhook-id` to notice what comes twice.
 * @throws CarillonError bad_signature, stale_timestamp; status 0
 */
export async function verifyCallback(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
): Promise<CallbackEvent> {
  const given = new Headers(Object.entries(plain(headers)).map(([name, value]) => [name, String(value)]))
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => given.get(name) ?? '',
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const fits = await Promise.all(
    signatures!
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => crypto.subtle.verify('HMAC', key, bytesOf(one.slice('v1,'.length)), signed)),
  )
  if (!fits.includes(true)) throw refused('bad_signature', 'The signature does not fit what was sent.')
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!(age <= tolerance)) throw refused('stale_timestamp', 'The request was not signed just now.')
  return JSON.parse(body)
}

function plain(headers: Headers | Record<string, string | string[] | undefined>) {
  return headers instanceof Headers ? Object.fromEntries(headers) : headers
}

/** Of base64; of what is none, nothing, which fits no signature. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function refused(code: string, message: string): CarillonError {
  return new CarillonError(message, { code, status: 0 })
}
