/**
 * Where a link of ours in a mail leads. What it does is looked up in the frozen content, so it holds indexes only
 * (docs/decisions/0014-links-in-mails.md): `n` of the message among the content's messages, `o` of the option or action
 * in it; in a carousel `card.action`.
 */
export type LinkTarget =
  | { purpose: 'tap'; n: number; o: string }
  | { purpose: 'do_not_remind' }
  | { purpose: 'unsubscribe' }
  | { purpose: 'preferences' }

/** A text with links of ours in it: they are different for each recipient, all else is the same for a locale. */
export type Pieces = (string | LinkTarget)[]

/** A mail in one language; the same for all its readers but for the links of ours in it. It is stored as JSON. */
export type CompiledEmail = { subject: string; html: Pieces; text: Pieces }
