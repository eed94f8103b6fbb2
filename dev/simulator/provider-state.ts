import { randomBytes } from 'node:crypto'
import type { JournalItem } from './journal.ts'

/** The provider's state from accepted calls. All of it except reply tokens is restored from the journal. */
export type ProviderState = {
  remember(item: JournalItem): void
  /** The call accepted with this retry key in the last 24 hours. */
  accepted(retryKey: string): AcceptedCall | undefined
  /** Messages of the current month: one per recipient and call, without replies. */
  usedThisMonth(): number
  /** Issues a token for one reply to this person within a minute. */
  issueReplyToken(userId: string): string
  /** The person of a token, or undefined if it is invalid or expired. Does not consume the token. */
  replyTo(token: string): string | undefined
}
export type AcceptedCall = { seq: number; at: number; requestId: string; messages: number }

const keyLifetimeMs = 24 * 60 * 60 * 1_000
const tokenLifetimeMs = 60 * 1_000

/** Creates an empty state. */
export function createProviderState(): ProviderState {
  const keys = new Map<string, AcceptedCall>()
  const tokens = new Map<string, { userId: string; at: number }>()
  let month = ''
  let used = 0

  return {
    remember(item) {
      if (item.status !== 200) return
      if (item.replyToken) tokens.delete(item.replyToken)
      if (item.endpoint !== 'reply') {
        if (item.at.slice(0, 7) !== month) used = 0
        month = item.at.slice(0, 7)
        used += item.to.length
      }
      deleteExpired(keys, keyLifetimeMs)
      const { seq, at, requestId, messages } = item
      if (item.retryKey)
        keys.set(item.retryKey, { seq, at: Date.parse(at), requestId, messages: messages.length })
    },
    accepted(retryKey) {
      deleteExpired(keys, keyLifetimeMs)
      return keys.get(retryKey)
    },
    usedThisMonth: () => (month === new Date().toISOString().slice(0, 7) ? used : 0),
    issueReplyToken(userId) {
      const token = randomBytes(16).toString('hex')
      tokens.set(token, { userId, at: Date.now() })
      return token
    },
    replyTo(token) {
      deleteExpired(tokens, tokenLifetimeMs)
      return tokens.get(token)?.userId
    },
  }
}

/** Deletes expired entries; maps keep insertion order, so the first live entry ends the loop. */
function deleteExpired(map: Map<string, { at: number }>, lifetimeMs: number): void {
  for (const [key, { at }] of map) {
    if (at > Date.now() - lifetimeMs) return
    map.delete(key)
  }
}
