import { chatLimits } from './limits.ts'

/** The provider's sending calls. Each has its own rate. */
export const chatEndpoints = ['push', 'multicast', 'reply'] as const
export type ChatEndpoint = (typeof chatEndpoints)[number]

/**
 * The call for this many recipients: the provider asks for push where there is one. Throws RangeError outside 1 to
 * 500.
 */
export function endpointFor(recipients: number): 'push' | 'multicast' {
  if (recipients < 1 || recipients > chatLimits.recipientsPerCall)
    throw new RangeError(
      `A chat call goes to 1 to ${chatLimits.recipientsPerCall} people, not ${recipients}.`,
    )
  return recipients === 1 ? 'push' : 'multicast'
}
