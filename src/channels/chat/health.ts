import { z } from 'zod'
import type { ChannelHealth } from '../channel.ts'
import type { Answer, ChatClient, NoResponse } from './client.ts'

/** The account, its monthly limit, and its usage. */
const Facts = z.tuple([
  z.object({ userId: z.string() }),
  z.object({ type: z.enum(['none', 'limited']), value: z.number().optional() }),
  z.object({ totalUsage: z.number() }),
])

/**
 * Whether the provider accepts the token, and the account's usage this month, which is approximate
 * (https://developers.line.biz/en/reference/messaging-api/#get-consumption).
 */
export async function chatHealth(client: ChatClient, signal?: AbortSignal): Promise<ChannelHealth> {
  const get = (path: string) => client.request({ method: 'GET', path }, signal)
  const answers = await Promise.all([
    get('/v2/bot/info'),
    get('/v2/bot/message/quota'),
    get('/v2/bot/message/quota/consumption'),
  ])
  const failed = answers.find((answer) => 'silent' in answer || answer.status !== 200)
  if (failed) return healthAfter(failed)
  const facts = Facts.safeParse(answers.map((answer) => 'body' in answer && answer.body))
  if (!facts.success) return { state: 'unavailable', code: 'unexpected_answer' }
  const [, { value }, { totalUsage }] = facts.data
  return { state: 'ok', quota: { limit: value ?? null, used: totalUsage } }
}

function healthAfter(answer: Answer | NoResponse): ChannelHealth {
  if ('silent' in answer) return { state: 'unavailable', code: answer.code }
  const temporary = answer.status >= 500 || answer.status === 429
  return { state: temporary ? 'unavailable' : 'misconfigured', code: `http_${answer.status}` }
}
