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

/** Why nothing was sent of what nobody has approved. */
export const notApproved = 'not_approved'
