import type { Channel } from '../contract/enums.ts'
import { chatLimits } from './chat/limits.ts'

/** How long texts may be that are sent on these channels; null: none of them limits a text of its own. */
export function textLimitsOf(plan: readonly Channel[]): typeof chatLimits | null {
  return plan.includes('chat') ? chatLimits : null
}
