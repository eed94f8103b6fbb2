import type { Locale } from '../contract/enums.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { CanonicalMessage } from '../contract/messages/content.ts'
import type { ScenarioContent } from '../contract/scenarios/content.ts'
import type { TitledEntry } from '../domain/content/calendar.ts'
import type { ContentWave } from '../domain/content/reminder-time.ts'
import type { SendingUnit } from '../domain/content/sending-unit.ts'
import { titleOf } from '../domain/content/title.ts'
import type { NodeMessages } from '../domain/scenario/deliverable-channels.ts'
import type { TrackLink } from './channel.ts'

/**
 * A calendar entry that a content offers: where its file is, and the file itself for mails, by language. `timeZone`: in
 * which people read its times, an IANA name.
 */
export type CalendarOffer = {
  entry: TitledEntry
  timeZone: string
  urls: Record<Locale, string>
  files: Record<Locale, string>
}

/** The content to compile: the producer's messages, and the facts a channel may add around them. */
export type ContentToCompile = {
  messages: CanonicalMessage[]
  /** The wave that sends it. */
  wave: ContentWave
  /** The title of the message. */
  subject: LocalisedText
  unit: SendingUnit
  categoryId: string
  /** Name of the category. */
  category: LocalisedText
  /** Whether recipients can turn the category off. */
  unsubscribe: boolean
  /** Whether the chat may show options below it, where the next message hides them. Omitted: yes. */
  quickReplies?: boolean
  /** Recipients can add it to their calendar. */
  calendar?: CalendarOffer
  /** Below this address are the installation's own pictures, whatever its scheme is. */
  pictures?: string
  /** Links lead through Carillon, which counts clicks: in the chat where this says. Omitted: straight to their URL. */
  trackLink?: TrackLink
}

/** What a turn of a conversation says in the person's language, and what its form depends on. */
export type TurnToCompile = {
  id: string
  /** Null: a reply in a handoff. */
  runId: string | null
  /** The node that the run waits at afterwards. */
  lastNode: string
  says: NodeMessages[]
  /** Of the scenario; null: a reply in a handoff. */
  content: Pick<ScenarioContent, 'nodes'> | null
  category: { id: string; name: LocalisedText; layer: string }
  unit: SendingUnit
  locale: Locale
}

/** All that a turn says, as the content of a message. */
export function contentOfTurn({ says, unit, category }: TurnToCompile): ContentToCompile {
  const messages = says.flatMap((saying) => saying.messages)
  return {
    messages,
    wave: 'only',
    unit,
    subject: titleOf(messages, null, category.name),
    categoryId: category.id,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
  }
}
