import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CreateMessage } from '../../../../src/contract/messages/create.ts'
import { canary } from './canaries.ts'
import { sign } from './journal.ts'
import type { Crowd } from './people.ts'

/** The result of a call. `status` 0: no response; `failure`: how the connection ended. */
export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a caller would
  body: any
  retryAfter: string | null
  failure?: string
  ms: number
}

/** A message as the test knows it. Times are ms since the epoch. */
export type PlannedMessage = {
  id: string
  key: string
  marker: string
  crowd: Crowd
  body: CreateMessage
  /** When a cancel was answered 200: from then on no call may be made. */
  withheldAt?: number
}

export type Credentials = { key: string; session: string }
export type Times = { scheduleAt?: number; remindAt?: number; expiresAt?: number; texts?: number }

/** A message to a group, not created yet. Its texts are marked, so that the journal identifies it. */
export function plan(
  crowd: Crowd,
  { scheduleAt, remindAt, expiresAt, texts = 1 }: Times = {},
): PlannedMessage {
  const marker = `m-${randomBytes(6).toString('hex')}`
  const messages = Array.from({ length: texts }, (_, n) => {
    const text = `${sign(marker, n)} ${canary.text}`
    return { kind: 'text' as const, text: { 'zh-TW': text, en: `${text} in English` } }
  })
  const body: CreateMessage = {
    categoryId: 'notice',
    messages,
    audience: { kind: 'query', tags: [crowd.tag] },
    ...(scheduleAt !== undefined && { scheduleAt: new Date(scheduleAt).toISOString() }),
    ...(remindAt !== undefined && { remindAt: new Date(remindAt).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  }
  return { id: '', key: randomUUID(), marker, crowd, body }
}

/** A producer at one API process. */
export type Producer = ReturnType<typeof producerAt>

export function producerAt(url: string, credentials: Credentials) {
  const patient = verbsAt(url, credentials, callPatiently)
  return {
    ...verbsAt(url, credentials, call),
    /** The same verbs, retried later if the response asks for it. */
    patient,
    /** Creates, submits and approves, with retries; returns the message, which is being sent. */
    async send(message: PlannedMessage): Promise<PlannedMessage> {
      for (const verb of ['create', 'submit', 'approve'] as const) {
        const { status, body } = await patient[verb](message)
        if (status !== 200 && status !== 201) throw new Error(`${verb}: ${status} ${JSON.stringify(body)}`)
      }
      return message
    },
  }
}

/** The verbs of a producer, and of an approver, over HTTP. */
function verbsAt(url: string, { key, session }: Credentials, call: Call) {
  const asProducer = { authorization: `Bearer ${key}` }
  const asApprover = { cookie: `hub_session=${session}` }
  const move = (message: PlannedMessage, verb: string, headers: Record<string, string>, body?: object) =>
    call(`${url}/v1/messages/${message.id}/${verb}`, { method: 'POST', headers, body })

  return {
    async create(message: PlannedMessage): Promise<Answer> {
      const headers = { ...asProducer, 'idempotency-key': message.key }
      const answer = await call(`${url}/v1/messages`, { method: 'POST', headers, body: message.body })
      if (answer.body?.id) message.id = answer.body.id
      return answer
    },
    submit: (message: PlannedMessage) => move(message, 'submit', asProducer),
    approve: (message: PlannedMessage) => move(message, 'approve', asApprover),
    reject: (message: PlannedMessage) => move(message, 'reject', asApprover, { reason: 'No' }),
    pause: (message: PlannedMessage) => move(message, 'pause', asProducer),
    resume: (message: PlannedMessage) => move(message, 'resume', asProducer),
    async cancel(message: PlannedMessage): Promise<Answer> {
      const answer = await move(message, 'cancel', asProducer)
      if (answer.status === 200) message.withheldAt = Date.now()
      return answer
    },
    read: (message: PlannedMessage) =>
      call(`${url}/v1/messages/${message.id}`, { method: 'GET', headers: asProducer }),
    ask: (path: string) => call(`${url}${path}`, { method: 'GET', headers: asProducer }),
  }
}

export type Call = typeof call
/** `body`: JSON, as an object or written by the test. */
type Request = { method: string; headers: Record<string, string>; body?: object | string | undefined }

/** Makes a call. */
export async function call(url: string, { method, headers, body }: Request): Promise<Answer> {
  const begun = performance.now()
  const ms = () => Math.round(performance.now() - begun)
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      retryAfter: response.headers.get('retry-after'),
      ms: ms(),
    }
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return { status: 0, body: null, retryAfter: null, failure: cause?.code ?? String(error), ms: ms() }
  }
}

/** Makes a call, and the same again later while the response asks for it. */
export async function callPatiently(url: string, request: Request): Promise<Answer> {
  for (;;) {
    const answer = await call(url, request)
    if (answer.status !== 503) return answer
    await sleep(Number(answer.retryAfter) * 1_000)
  }
}
