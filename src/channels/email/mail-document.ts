import type { Block, Choice } from './block.ts'

/** A whole mail in one locale, before it becomes HTML or plain text. */
export type MailDocument = {
  subject: string
  unit: string
  /** Why the reader gets it, and how to change that. */
  reason: string
  blocks: Block[]
  footerLinks: Choice[]
}
