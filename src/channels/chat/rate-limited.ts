import { isOneOf } from '../../contract/enums.ts'
import type { ChatClient } from './client.ts'
import { type ChatEndpoint, chatEndpoints } from './endpoint.ts'
import { chatLimits } from './limits.ts'

const sending = /\/v2\/bot\/message\/(\w+)$/

/**
 * A client whose sending calls wait for their turn. `take` resolves when one may be made on an endpoint that allows so
 * many per second; false: nobody can say, and it is not made.
 */
export function rateLimitedChat(
  client: ChatClient,
  take: (endpoint: ChatEndpoint, perSecond: number) => Promise<boolean>,
): ChatClient {
  return {
    ...client,
    async request(request, signal) {
      const endpoint = sending.exec(request.path)?.[1]
      if (isOneOf(chatEndpoints, endpoint) && !(await take(endpoint, chatLimits.callsPerSecond[endpoint])))
        return { silent: true, certain: true, code: 'aborted' }
      return client.request(request, signal)
    },
  }
}
