import type { Channel, PlanMode } from '../../contract/enums.ts'

/** The channels to use, in order of preference. */
export type ChannelPlan = { mode: PlanMode; channels: Channel[] }

/**
 * A category's plan narrowed by an override, or `widens` if the override asks for more: a channel that the category
 * does not have, or `all` where the category has `first_available`. Keeps the category's order.
 */
export function narrowPlan(plan: ChannelPlan, override?: Partial<ChannelPlan>): ChannelPlan | 'widens' {
  if (!override) return plan
  const wanted = override.channels ?? plan.channels
  const mode = override.mode ?? plan.mode
  if (wanted.length === 0 || wanted.some((channel) => !plan.channels.includes(channel))) return 'widens'
  if (mode === 'all' && plan.mode === 'first_available') return 'widens'
  return { mode, channels: plan.channels.filter((channel) => wanted.includes(channel)) }
}
