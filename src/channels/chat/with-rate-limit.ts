import type { ChatClient } from './client.ts'
import { type ChatEndpoint, endpointOf } from './endpoint.ts'
import { chatLimits } from './limits.ts'

/**
 * A client that rate-limits send calls. `take` resolves when a call may be made on an endpoint with this limit per
 * second; on false (the rate could not be leased) the call is not made.
 */
export function withRateLimit(
  client: ChatClient,
  take: (endpoint: ChatEndpoint, perSecond: number) => Promise<boolean>,
): ChatClient {
  return {
    ...client,
    async request(request, signal) {
      const endpoint = endpointOf(request.path)
      if (endpoint && !(await take(endpoint, chatLimits.callsPerSecond[endpoint])))
        return { silent: true, certain: true, code: 'aborted' }
      return client.request(request, signal)
    },
  }
}
