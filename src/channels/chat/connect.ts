import { sha256 } from '../../signing.ts'
import type { ConnectionDeps, Connector } from '../connection.ts'
import { type ChatClient, connectChat } from './client.ts'
import { chatHealth } from './health.ts'
import { replyChat, sendChat } from './send.ts'
import { withMetrics } from './with-metrics.ts'
import { withRateLimit } from './with-rate-limit.ts'
import { chatWithTracing } from './with-tracing.ts'

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
function limited(client: ChatClient, token: string, { takeTurn, observe }: ConnectionDeps): ChatClient {
  const account = `chat ${sha256(token).toString('hex').slice(0, 16)}`
  const seen = chatWithTracing(withMetrics(client, observe))
  return withRateLimit(seen, (endpoint, perSecond) => takeTurn({ account, endpoint, perSecond }))
}
