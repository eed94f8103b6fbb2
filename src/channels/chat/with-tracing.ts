import { inSpan } from '../../tracing/spans.ts'
import type { ChatClient } from './client.ts'
import { endpointOf } from './endpoint.ts'

/** A client that records a span for each send call. The provider gets no trace. */
export function chatWithTracing(client: ChatClient): ChatClient {
  return {
    ...client,
    async request(request, signal) {
      const endpoint = endpointOf(request.path)
      if (!endpoint) return client.request(request, signal)
      const attributes = {
        'carillon.channel': 'chat',
        'carillon.retry_key': request.headers?.['x-line-retry-key'],
      }
      return inSpan(`chat ${endpoint}`, { kind: 'client', attributes }, async (span) => {
        const answer = await client.request(request, signal)
        if ('silent' in answer) span?.fail(answer.code)
        else {
          span?.set({ 'http.response.status_code': answer.status })
          if (answer.status >= 400 && answer.status !== accepted) span?.fail(String(answer.status))
        }
        return answer
      })
    },
  }
}

/** The status of a call that was accepted before, under the same retry key. */
const accepted = 409
