import type { Violation } from '../audience/audience.ts'

/** Whether a message has expired at `now`; it has at `expiresAt` itself. Times are ms since the epoch; null: never. */
export function isExpired(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

/** The violation of a draft that has expired: it cannot be submitted. */
export const expiredDraft: Violation = {
  path: 'expiresAt',
  code: 'expired',
  message: {
    'zh-TW': '這則訊息已過了有效期限，不能再送出。請複製成新的訊息（POST /v1/messages/{id}/copy）。',
    en: 'This message has expired and cannot be submitted. Copy it to a new one: POST /v1/messages/{id}/copy.',
  },
}
