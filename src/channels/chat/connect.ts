import { sha256 } from '../../signing.ts'
import { inSpan } from '../../tracing/spans.ts'
import { type ObserveRequest, requestStatusOf } from '../channel.ts'
import type { ConnectionDeps, Connector } from '../connection.ts'
import { type Answer, type ChatClient, connectChat, type NoResponse } from './client.ts'
import { type ChatEndpoint, endpointOf } from './endpoint.ts'
import { chatHealth } from './health.ts'
import { chatLimits } from './limits.ts'
import { replyChat, sendChat } from './send.ts'

/** The account, which is called over HTTP. */
export const chatConnector: Connector<'chat'> = {
  setting: 'CHAT_CHANNEL_TOKEN',
  connect({ CHAT_BASE_URL: baseUrl, CHAT_CHANNEL_TOKEN: token }, deps) {
    if (!token) return undefined
    const client = limited(connectChat({ baseUrl, token }), token, deps)
    return {
      sender: { outcomePer: 'call', send: (call) => sendChat(client, call) },
      reply: (reply) => replyChat(client, reply),
      health: (patienceMs) => chatHealth(client, AbortSignal.timeout(patienceMs)),
      provider: baseUrl,
      close: () => client.close(),
    }
  },
}

/** Keeps the rates of the account, and reports its calls: their time without the wait for the rate. */
function limited(client: ChatClient, token: string, { mayStart, observe }: ConnectionDeps): ChatClient {
  const account = `chat ${sha256(token).toString('hex').slice(0, 16)}`
  const tracedClient = chatWithTracing(withMetrics(client, observe))
  return withRateLimit(tracedClient, (endpoint, perSecond) => mayStart({ account, endpoint, perSecond }))
}

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

/** A client that records a span for each send call. The provider gets no trace. */
function chatWithTracing(client: ChatClient): ChatClient {
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
