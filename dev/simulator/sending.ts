import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, acceptedBody, type Call, recipients, refusalOf } from './check-call.ts'
import { cutConnection } from './cut-connection.ts'
import type { FaultQueue } from './faults.ts'
import type { Journal, JournalItem } from './journal.ts'
import type { ProviderState } from './provider-state.ts'
import { defaultText, type Reply } from './responses.ts'

/** What the sending calls depend on. */
export type SendingContext = {
  account: Account
  memory: ProviderState
  faults: FaultQueue
  journal: Journal
  /** Appends an item to the journal and updates the state. */
  record(item: Omit<JournalItem, 'seq' | 'at'>): JournalItem
}

/** The provider's sending calls: each is journalled with its outcome, then answered. */
export function sendingRoutes(app: FastifyInstance, context: SendingContext): void {
  for (const endpoint of ['push', 'multicast', 'reply'] as const) {
    app.post(`/v2/bot/message/${endpoint}`, async (request, reply) => {
      const call = readCall(endpoint, request)
      const to = recipients(call, context.memory)
      const { status, body, retryAfter, cut, delayMs } = context.faults.take(endpoint, to)
      const fault = status === undefined ? undefined : { status, body: body ?? defaultText(status) }
      const answer = handleCall(call, to, context, fault)
      if (retryAfter !== undefined) answer.headers['retry-after'] = String(retryAfter)
      if (delayMs) await context.faults.delay(delayMs)
      return cut ? cutConnection(reply, cut, answer) : send(reply, answer)
    })
  }
}

function readCall(endpoint: Call['endpoint'], { headers, body }: FastifyRequest): Call {
  const raw = typeof body === 'string' ? body : ''
  const retryKey = headers['x-line-retry-key']
  return {
    endpoint,
    authorization: headers.authorization,
    retryKey: Array.isArray(retryKey) ? retryKey[0] : retryKey,
    bytes: Buffer.byteLength(raw),
    body: readObject(raw),
  }
}

/** The JSON object in a request body, or undefined. */
export function readObject(raw: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(raw)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Answer = Required<Reply>

/** Accepts or rejects a call and journals it. Synchronous, so that calls are judged one at a time. */
function handleCall(call: Call, to: string[], context: SendingContext, fault: Reply | undefined): Answer {
  const refused = fault ?? refusalOf(call, context.account, context.memory)
  const requestId = randomUUID()
  const { messages, replyToken } = call.body ?? {}
  const item = context.record({
    endpoint: call.endpoint,
    status: refused?.status ?? 200,
    to,
    messages: Array.isArray(messages) ? messages : [],
    retryKey: call.retryKey ?? null,
    replyToken: typeof replyToken === 'string' ? replyToken : null,
    requestId,
  })
  const body = refused ? refused.body : acceptedBody(call.endpoint, item.seq, item.messages.length)
  return { status: item.status, headers: { ...refused?.headers, 'x-line-request-id': requestId }, body }
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}
