import type { Block, Choice } from './block.ts'

/** All that one reader gets, before it is HTML or plain text. `exits` are the links at the foot. */
export type MailDocument = {
  subject: string
  unit: string
  category: string
  blocks: Block[]
  exits: Choice[]
}
