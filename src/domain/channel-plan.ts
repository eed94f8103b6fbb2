import type { Channel, PlanMode } from '../contract/enums.ts'

/** Which channels are used, in this order. */
export type ChannelPlan = { mode: PlanMode; channels: Channel[] }

/**
 * The plan that an override leaves of a category's plan, or `widens` where it asks for more: a channel the category
 * does not have, or `all` where the category says `first_available`. The category's order stays.
 */
export function narrowPlan(plan: ChannelPlan, override?: Partial<ChannelPlan>): ChannelPlan | 'widens' {
  if (!override) return plan
  const wanted = override.channels ?? plan.channels
  const mode = override.mode ?? plan.mode
  if (wanted.length === 0 || wanted.some((channel) => !plan.channels.includes(channel))) return 'widens'
  if (mode === 'all' && plan.mode === 'first_available') return 'widens'
  return { mode, channels: plan.channels.filter((channel) => wanted.includes(channel)) }
}
