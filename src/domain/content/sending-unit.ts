import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { localise } from './localise.ts'

/** The name and picture above a unit's messages in the chat, instead of the account's. */
export type ChatSender = { name: LocalisedText; iconUrl: string | null }

/** A sending unit, as its recipients see it (docs/design/channels.md). */
export type SendingUnit = {
  id: string
  /** Its display name, or its name for readers of either language. */
  name: LocalisedText
  /** Whether it has a display name: its mails then come in it, instead of the installation's. */
  named: boolean
  /** Where answers to its mails go; null: to the installation's address. */
  replyTo: string | null
  sender: ChatSender | null
  /** Its IANA time zone. */
  timeZone: string
}

/** The name of a unit for readers of this language: its display name, or its name. */
export function shownName(
  locale: Locale,
  { name, displayName }: { name: string; displayName: LocalisedText | null },
): string {
  return displayName ? localise(locale, displayName) : name
}
