import type { TapResult } from '../domain/content/acknowledgement.ts'
import type { Muted } from '../domain/content/muted.ts'
import type { Approval } from '../domain/rights/approval.ts'
import type { AutoReply } from '../domain/scenario/auto-reply.ts'

/** The closed list of the product's own sentences: what the chat answers, and mails to people of a unit. */
type OwnSentence = TapResult['kind'] | AutoReply['kind'] | Muted['kind'] | 'run_failed' | MailSentence
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

/**
 * A content that may leave, with who answers for it. The channels send nothing else, and only the three makers here make
 * one (docs/design/approvals.md).
 */
export class Cleared<Content> {
  readonly #content: Content
  readonly clearance: Clearance

  private constructor(content: Content, clearance: Clearance) {
    this.#content = content
    this.clearance = clearance
  }

  /** Content of a version that a person or the automatic check approved. What fills its variables is data. */
  static byApproval<Content>(content: Content, approval: Approval): Cleared<Content> {
    return new Cleared(content, { kind: 'approved', approval })
  }

  /** What a member says to one address, which is audited: a reply in a handoff, or a test to themselves. */
  static byMember<Content>(content: Content, { by, to }: { by: string; to: string }): Cleared<Content> {
    return new Cleared(content, { kind: 'member', by, to })
  }

  /** One of the product's own sentences, in which names and titles are data. */
  static byProduct<Content>(content: Content, sentence: OwnSentence): Cleared<Content> {
    return new Cleared(content, { kind: 'own', sentence })
  }

  /**
   * The content, to send to these addresses; omitted: to the person of a reply token.
   * @throws Error if a member's words would go to somebody else; TypeError for what no maker has made
   */
  static contentFor<Content>(cleared: Cleared<Content>, addresses: readonly string[] = []): Content {
    const { clearance } = cleared
    const content = cleared.#content
    if (clearance.kind === 'member' && addresses.some((address) => address !== clearance.to))
      throw new Error('the words of a member go to one person alone')
    return content
  }
}
