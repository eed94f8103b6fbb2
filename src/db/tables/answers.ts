import type { Channel } from '../../contract/enums.ts'
import type { PostbackData } from '../../contract/messages/content.ts'
import type { DefaultInstant, MaybeJson } from './columns.ts'

/** Recipients' answers, and the members of a unit who were named to read them. Defined in SQL: src/db/migrations. */

export type AnswerTables = {
  do_not_remind: DoNotRemindTable
  message_answer: MessageAnswerTable
  organiser: OrganiserTable
}

export type DoNotRemindTable = { message_id: string; subject_id: string; at: DefaultInstant }

export type MessageAnswerTable = {
  message_id: string
  subject_id: string
  /** What it answers (domain/content/option.ts); a person's last answer to it is kept. */
  question: string
  /** Index of the message among the content's messages. */
  n: number
  /** Index of the option or action in it; in a carousel `card.action`. */
  o: string
  /** The producer's id of the option; otherwise its place, counted from 1. */
  option_id: string
  /** The producer's data of a postback. */
  data: MaybeJson<PostbackData>
  channel: Channel
  at: DefaultInstant
}

/** Of a message or of a pattern: one of the two. */
export type OrganiserTable = {
  message_id: string | null
  pattern_id: string | null
  unit_id: string
  person_id: string
  named_by: string
  named_at: DefaultInstant
}
