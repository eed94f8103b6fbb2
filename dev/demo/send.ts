import type { Media } from '../../src/contract/media.ts'
import type { CreatedMessage, CreateMessage } from '../../src/contract/messages/create.ts'
import type { MessageDetail } from '../../src/contract/messages/detail.ts'
import type { ApprovalOutcome } from '../../src/contract/messages/moves.ts'
import type { CreateTemplate, Template, TemplatePage } from '../../src/contract/templates/template.ts'

/** One caller of the API: a producer key, or the value of a session cookie. */
export type Caller = { api: string; key: string } | { api: string; session: string }

/** An error response of the API. */
class Refusal extends Error {
  readonly code: string
  readonly details: unknown

  constructor(
    what: string,
    { code, message, details }: { code: string; message: string; details?: unknown },
  ) {
    super(`${what} failed (${code}): ${message}`)
    this.code = code
    this.details = details
  }
}

/**
 * Calls the API over HTTP.
 * @throws Refusal if the API answers with an error
 */
export async function call<T>(
  caller: Caller,
  method: string,
  path: string,
  body?: unknown,
  idempotencyKey?: string,
): Promise<T> {
  const headers = credentialsOf(caller)
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  return answerOf(
    `${method} ${path}`,
    await fetch(caller.api + path, { method, headers, body: JSON.stringify(body) }),
  )
}

/**
 * Uploads a picture over HTTP.
 * @throws Refusal if the API answers with an error
 */
export async function upload(caller: Caller, picture: Buffer): Promise<Media> {
  const headers = { ...credentialsOf(caller), 'content-type': 'image/jpeg' }
  const body = new Uint8Array(picture)
  return answerOf('POST /v1/media', await fetch(`${caller.api}/v1/media`, { method: 'POST', headers, body }))
}

function credentialsOf(caller: Caller): Record<string, string> {
  return 'key' in caller
    ? { authorization: `Bearer ${caller.key}` }
    : { cookie: `hub_session=${caller.session}` }
}

async function answerOf<T>(what: string, answer: Response): Promise<T> {
  const content = (await answer.json()) as { error: { code: string; message: string } }
  if (!answer.ok) throw new Refusal(what, content.error)
  return content as T
}

/**
 * Returns the id of the approved template of this name; if missing, the editor creates it and the approver approves it.
 */
export async function ensureTemplate(
  editor: Caller,
  approver: Caller,
  template: CreateTemplate,
): Promise<string> {
  const { items } = await call<TemplatePage>(editor, 'GET', '/v1/templates?limit=200')
  const match = items.find(({ name, state }) => name === template.name && state !== 'rejected')
  const { id, state } = match ?? (await call<Template>(editor, 'POST', '/v1/templates', template))
  if (state === 'draft') await call(approver, 'POST', `/v1/templates/${id}/approve`)
  return id
}

/** Creates and submits a message once per key. Returns its id and its state before the submit. */
export async function submitOnce(caller: Caller, key: string, body: CreateMessage): Promise<CreatedMessage> {
  const message = await createOnce(caller, key, body)
  if (message.state === 'draft') await call(caller, 'POST', `/v1/messages/${message.id}/submit`)
  return message
}

/** Creates a message once per key. Keeps one that an older version of the demo created with a different text. */
export async function createOnce(caller: Caller, key: string, body: CreateMessage): Promise<CreatedMessage> {
  try {
    return await call<CreatedMessage>(caller, 'POST', '/v1/messages', body, key)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'idempotency_mismatch') throw error
    const { id } = error.details as { id: string }
    const { state } = await call<MessageDetail>(caller, 'GET', `/v1/messages/${id}`)
    return { id, state, created: false }
  }
}

/** Sends a message without an approver: create, submit and the automatic check. */
export async function sendOnce(producer: Caller, key: string, body: CreateMessage): Promise<CreatedMessage> {
  const message = await submitOnce(producer, key, body)
  if (message.state === 'draft' || message.state === 'submitted') {
    const path = `/v1/messages/${message.id}/approve`
    const outcome = await call<ApprovalOutcome>(producer, 'POST', path)
    if (!outcome.approved)
      throw new Error(`The automatic check did not approve the message: ${outcome.reason}`)
  }
  return message
}
