import type { Journal as AnyJournal, Numbered } from '../journal.ts'

/** One sending call as it came in, with the status it was answered with; refused ones too. */
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

/** The calls the provider has had. */
export type Journal = AnyJournal<JournalItem>
