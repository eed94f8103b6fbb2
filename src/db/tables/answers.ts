import type { Channel } from '../../contract/enums.ts'
import type { DefaultInstant } from './columns.ts'

/** Recipients' answers. Defined in SQL: src/db/migrations. */

export type DoNotRemindTable = { message_id: string; subject_id: string; at: DefaultInstant }

export type MessageAnswerTable = {
  message_id: string
  subject_id: string
  /** Index of the message among the content's messages. */
  n: number
  /** Index of the option or action in it; in a carousel `card.action`. */
  o: string
  option_id: string | null
  channel: Channel
  at: DefaultInstant
}
