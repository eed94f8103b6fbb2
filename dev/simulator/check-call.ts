import { checkMessages, type Detail } from './check-message.ts'
import type { JournalItem } from './journal.ts'
import type { AcceptedCall, ProviderState } from './provider-state.ts'
import { badBody, providerTexts, type Reply, refusal } from './responses.ts'

/** A sending call as received. */
export type Call = {
  endpoint: JournalItem['endpoint']
  authorization: string | undefined
  retryKey: string | undefined
  bytes: number
  /** Undefined if it is not a JSON object. */
  body: Record<string, unknown> | undefined
}

/** The account's token and limits. `monthlyLimit`: messages per month; unlimited without it. */
export type Account = { token: string; monthlyLimit?: number | undefined }

const bodyBytes = 2 * 1024 * 1024
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const userId = /^U[0-9a-f]{32}$/
const recipientId = /^[UCR][0-9a-f]{32}$/
const recipientsMax = 500

/** The provider's rejection of a call, by the first error found; undefined if it is accepted. */
export function refusalOf(call: Call, account: Account, memory: ProviderState): Reply | undefined {
  const { authorization, retryKey, body } = call
  if (authorization !== `Bearer ${account.token}`) return refusal(401, providerTexts.badToken)
  if (call.bytes > bodyBytes) return refusal(413, providerTexts.tooLarge)
  if (!body) return refusal(400, providerTexts.notJson)
  if (retryKey !== undefined && (call.endpoint === 'reply' || !uuid.test(retryKey)))
    return refusal(400, providerTexts.badRetryKey)
  const wrong = wrongRecipients(call, memory)
  if (wrong) return wrong
  const details = checkMessages(body.messages)
  if (details.length > 0) return badBody(details)
  const before = retryKey && memory.accepted(retryKey)
  if (before) return repeated(call, before)
  const wanted = call.endpoint === 'reply' ? 0 : recipients(call, memory).length
  if (memory.usedThisMonth() + wanted > (account.monthlyLimit ?? Number.POSITIVE_INFINITY))
    return refusal(429, providerTexts.monthIsOver)
  return undefined
}

/** The recipients of a call, as far as they can be read. */
export function recipients({ body }: Call, memory: ProviderState): string[] {
  const { to, replyToken } = body ?? {}
  const named = typeof replyToken === 'string' ? memory.replyTo(replyToken) : to
  return (Array.isArray(named) ? named : [named]).filter((id) => typeof id === 'string')
}

/** The response to an accepted call: push and reply return the ids of the messages, multicast does not. */
export function acceptedBody(endpoint: Call['endpoint'], seq: number, messages: number): object {
  if (endpoint === 'multicast') return {}
  return {
    sentMessages: Array.from({ length: messages }, (_, index) => ({ id: `${5_000_000_000 + seq}${index}` })),
  }
}

function wrongRecipients({ endpoint, body }: Call, memory: ProviderState): Reply | undefined {
  const { to, replyToken } = body ?? {}
  switch (endpoint) {
    case 'reply': {
      const target = typeof replyToken === 'string' && memory.replyTo(replyToken)
      return target ? undefined : refusal(400, providerTexts.badReplyToken)
    }
    case 'push':
      return typeof to === 'string' && recipientId.test(to)
        ? undefined
        : refusal(400, providerTexts.badProperty('to'))
    case 'multicast': {
      if (!Array.isArray(to) || to.length < 1 || to.length > recipientsMax)
        return badBody([{ message: `Size must be between 1 and ${recipientsMax}`, property: 'to' }])
      const wrong = to.flatMap((id, index): Detail[] =>
        typeof id === 'string' && userId.test(id)
          ? []
          : [{ message: 'Must be a user ID', property: `to[${index}]` }],
      )
      return wrong.length > 0 ? badBody(wrong) : undefined
    }
  }
}

function repeated({ endpoint }: Call, before: AcceptedCall): Reply {
  const { seq, requestId, messages } = before
  return {
    status: 409,
    headers: { 'x-line-accepted-request-id': requestId },
    body: { message: providerTexts.repeatedKey, ...acceptedBody(endpoint, seq, messages) },
  }
}
