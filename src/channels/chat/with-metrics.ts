import { type ObserveRequest, requestStatusOf } from '../channel.ts'
import type { Answer, ChatClient, NoResponse } from './client.ts'
import { endpointOf } from './endpoint.ts'

/** A client that reports the time and status of each send call. Waiting for the rate is not part of it. */
export function withMetrics(client: ChatClient, observe: ObserveRequest): ChatClient {
  return {
    ...client,
    async request(request, signal) {
      const startedAt = performance.now()
      const answer = await client.request(request, signal)
      if (endpointOf(request.path)) observe('chat', statusOf(answer), startedAt)
      return answer
    },
  }
}

function statusOf(answer: Answer | NoResponse) {
  if (!('silent' in answer)) return requestStatusOf(answer.status)
  return answer.code === 'timeout' || answer.code === 'aborted' ? answer.code : 'no_answer'
}
