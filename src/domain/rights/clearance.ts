import type { TapResult } from '../content/acknowledgement.ts'
import type { Muted } from '../content/muted.ts'
import type { AutoReply } from '../scenario/auto-reply.ts'

/**
 * The approval of a version of content, as its row has it. `by`: the person or key that decided, or `system:auto`.
 * `version`: null of a category, whose words have no versions.
 */
export type Approval = {
  of: 'message' | 'scenario' | 'category'
  id: string
  version: number | null
  by: string
}

/** The closed list of the product's own sentences: what the chat answers, and mails to people of a unit. */
export type OwnSentence = TapResult['kind'] | AutoReply['kind'] | Muted['kind'] | 'run_failed' | MailSentence
/** The mails to people of a unit: to approvers, to authors, and about handoffs. */
export type MailSentence = 'notice' | 'author_notice' | 'handoff_notice'

/**
 * Who answers for a text that leaves (docs/design/approvals.md). `member`: one of a unit, to this one
 * address: the other end of a handoff, or their own.
 */
export type Clearance =
  | { kind: 'approved'; approval: Approval }
  | { kind: 'member'; by: string; to: string }
  | { kind: 'own'; sentence: OwnSentence }

/** Why nothing was sent of what nobody has approved. */
export const notApproved = 'not_approved'
