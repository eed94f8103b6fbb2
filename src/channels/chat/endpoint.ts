import { isOneOf } from '../../contract/enums.ts'
import { chatLimits } from './limits.ts'

/** The provider's send endpoints. Each has its own rate limit. */
const chatEndpoints = ['push', 'multicast', 'reply'] as const
export type ChatEndpoint = (typeof chatEndpoints)[number]

/** The send endpoint that a path leads to; undefined for every other path of the provider. */
export function endpointOf(path: string): ChatEndpoint | undefined {
  const [, name] = /\/v2\/bot\/message\/(\w+)$/.exec(path) ?? []
  return isOneOf(chatEndpoints, name) ? name : undefined
}

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
