import { chatLimits } from './limits.ts'

/** The provider's send endpoints. Each has its own rate limit. */
export const chatEndpoints = ['push', 'multicast', 'reply'] as const
export type ChatEndpoint = (typeof chatEndpoints)[number]

/**
 * The endpoint for this many recipients: push for one, multicast for several.
 * @throws RangeError outside 1 to 500
 */
export function endpointFor(recipients: number): 'push' | 'multicast' {
  if (recipients < 1 || recipients > chatLimits.recipientsPerCall)
    throw new RangeError(
      `A chat call takes 1 to ${chatLimits.recipientsPerCall} recipients, not ${recipients}.`,
    )
  return recipients === 1 ? 'push' : 'multicast'
}
