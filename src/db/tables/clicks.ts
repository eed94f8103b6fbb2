import type { Channel, Locale } from '../../contract/enums.ts'
import type { DefaultInstant } from './columns.ts'

/** How often links of messages were followed (docs/design/links.md). Defined in SQL: src/db/migrations. */

export type ClickTables = {
  click_count: ClickCountTable
  mail_click: MailClickTable
}

export type ClickCountTable = {
  message_id: string
  /** Index of the message among the content's messages. */
  n: number
  /** Index of the action in it; in a carousel `card.action`. */
  o: string
  channel: Channel
  locale: Locale
  clicks: number
  /** Of a link in mails: by how many people. */
  people: number
}

/** Who followed a link of a mail, once each. */
export type MailClickTable = {
  message_id: string
  subject_id: string
  n: number
  o: string
  at: DefaultInstant
}
