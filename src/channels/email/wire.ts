/**
 * The target of one of Carillon's own links in a mail. Its effect is looked up in the frozen content, so it contains
 * only indexes (docs/design/links.md): `n` of the message among the content's messages, `o` of the
 * option or action in it; in a carousel `card.action`. The link of a `mute` button may lead on to the settings; in mails
 * of before it is a `tap` as any other. `open` counts a click and redirects to the URL of the action
 * (docs/design/links.md).
 */
export type LinkTarget =
  | { purpose: 'tap' | 'mute'; n: number; o: string }
  | { purpose: 'do_not_remind' }
  | { purpose: 'unsubscribe' }
  | { purpose: 'preferences' }
  | { purpose: 'view' }
  | CalendarTarget
  | PageTarget
  | OpenTarget

/**
 * The file of a calendar entry. It stands in no mail as a link of its own: the address is the same for all recipients of a
 * message, or is of a person's place in a pattern.
 */
type CalendarTarget = { purpose: 'calendar'; locale: 'zh-TW' | 'en' }

/**
 * The page on which a conversation goes on, of the run that stands in the place of the wave: what it said after its turn `n`.
 * It stands in no mail: only the answer to a page leads there.
 */
type PageTarget = { purpose: 'page'; n: number }

type OpenTarget = { purpose: 'open'; n: number; o: string; locale: 'zh-TW' | 'en' }

/** One of Carillon's own links as a compiled mail has it; `url`: where a link that is tracked leads. */
export type MailLink =
  | Exclude<LinkTarget, OpenTarget | CalendarTarget | PageTarget>
  | (OpenTarget & { url: string })

/** A text with Carillon's own links: they differ for each recipient, everything else is the same within a locale. */
export type Pieces = (string | MailLink)[]

/** A mail in one language; the same for all recipients except for Carillon's own links. Stored as JSON. */
export type CompiledEmail = {
  subject: string
  html: Pieces
  text: Pieces
  /** The sender's name, instead of the installation's. */
  from?: string
  /** Where answers go, if not to the sender. */
  replyTo?: string
  /** A calendar file that is attached. */
  calendar?: string
  /** Its List-Id (RFC 2919), without the domain; missing in mails of before. */
  list?: { label: string; name: string }
}
