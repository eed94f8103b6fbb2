import type { ApprovalKind } from '../../contract/enums.ts'
import { bindingKind } from './bindings.ts'
import { messageKind } from './messages.ts'
import { scenarioKind } from './scenarios.ts'
import { templateKind } from './templates.ts'

/** The kinds of what waits for approval. A new one is an entry here, in `approvalKinds`, and in the query of each. */
export const kinds = {
  message: messageKind,
  template: templateKind,
  event_binding: bindingKind,
  scenario: scenarioKind,
} satisfies Record<ApprovalKind, unknown>
