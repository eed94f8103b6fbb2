/** One call as the chat provider journalled it before answering. */
export type JournalEntry = {
  seq: number
  status: number
  to: string[]
  retryKey: string | null
  /** Of a reply. */
  replyToken?: string | null
}

/** One mail as the server journalled it before answering. */
export type MailJournalEntry = { seq: number; messageId: string }
