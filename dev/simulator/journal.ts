import type { Journal as AnyJournal, Numbered } from '../journal.ts'

/** One sending call as received, with the status of its response; includes rejected calls. */
export type JournalItem = Numbered & {
  endpoint: 'push' | 'multicast' | 'reply'
  status: number
  to: string[]
  /** The provider's JSON as received. */
  messages: unknown[]
  retryKey: string | null
  replyToken: string | null
  requestId: string
}

/** The journal of sending calls. */
export type Journal = AnyJournal<JournalItem>
