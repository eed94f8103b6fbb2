/**
 * The target of one of Carillon's own links in a mail. Its effect is looked up in the frozen content, so it contains
 * only indexes (docs/decisions/0014-links-in-mails.md): `n` of the message among the content's messages, `o` of the
 * option or action in it; in a carousel `card.action`. The link of a `mute` button may lead on to the settings; in mails
 * of before it is a `tap` as any other.
 */
export type LinkTarget =
  | { purpose: 'tap' | 'mute'; n: number; o: string }
  | { purpose: 'do_not_remind' }
  | { purpose: 'unsubscribe' }
  | { purpose: 'preferences' }
  | { purpose: 'view' }

/** A text with Carillon's own links: they differ for each recipient, everything else is the same within a locale. */
export type Pieces = (string | LinkTarget)[]

/** A mail in one language; the same for all recipients except for Carillon's own links. Stored as JSON. */
export type CompiledEmail = {
  subject: string
  html: Pieces
  text: Pieces
  /** The sender's name, instead of the installation's. */
  from?: string
  /** Where answers go, if not to the sender. */
  replyTo?: string
  /** Its List-Id (RFC 2919), without the domain; missing in mails of before. */
  list?: { label: string; name: string }
}
