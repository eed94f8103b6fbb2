import type { ApprovalRule, ReviewReason, TemplateState } from '../../contract/enums.ts'
import type { Snapshot } from './audience.ts'

export type AutomaticCheck = {
  approvalRule: ApprovalRule
  /** Maximum recipients without a person's approval. */
  autoMaxRecipients: number
  /** The version whose text submit froze; null for a message without a template. */
  template: { state: TemplateState; categoryId: string } | null
  categoryId: string
  /** an event's message whose audience is a query, and not the subjects that the event names */
  beyondSubjects: boolean
  snapshot: Snapshot
  /** whether the audience names or reaches few people through the unit's own lists */
  small: boolean
}

/**
 * The first reason against approving automatically, or null. A small audience comes first, because its approver must
 * know. Reasons that cannot change come before those that may: the rule, the kind of audience, the template, the
 * content, the size of the audience, the quota. A template is approved only for its own category.
 */
export function automaticCheck(check: AutomaticCheck): ReviewReason | null {
  const { template, snapshot } = check
  if (check.small) return 'audience_small'
  if (check.approvalRule !== 'auto') return 'category_not_auto'
  if (check.beyondSubjects) return 'audience_not_subjects'
  if (!template) return 'template_required'
  if (template.state !== 'approved' || template.categoryId !== check.categoryId)
    return 'template_not_approved'
  if (snapshot.violations.length > 0) return 'content_violation'
  if (snapshot.recipients.total > check.autoMaxRecipients) return 'audience_too_large'
  return Object.values(snapshot.quota).some((forecast) => forecast.wouldExceed) ? 'quota' : null
}
