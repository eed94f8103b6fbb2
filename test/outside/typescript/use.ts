// Uses the client that test/outside/typescript.test.ts generates from the description of a running service. Prints what
// it reads as JSON. TypeScript 5 compiles it under strict: every property that it names must be in the generated types.

import { createClient } from './generated/client/index.js'
import {
  approveMessage,
  type CanonicalMessage,
  type CreateMessage,
  createMessage,
  dryRunMessage,
  type ErrorBody,
  type EventAnswer,
  getMessage,
  listMessages,
  rejectMessage,
  submitMessage,
  type Webhooks,
} from './generated/index.js'

const [baseUrl = '', key = '', approverSession = ''] = process.argv.slice(2)
const producer = createClient({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? key : undefined) })
const approver = createClient({
  baseUrl,
  auth: ({ in: place }) => (place === 'cookie' ? approverSession : undefined),
})

const body: CreateMessage = {
  categoryId: 'manual',
  audience: { kind: 'query', roles: ['student'] },
  messages: [
    { kind: 'text', text: { 'zh-TW': '校園開放日', en: 'Open day' } },
    {
      kind: 'buttons',
      text: { 'zh-TW': '您會來嗎？' },
      actions: [{ kind: 'uri', label: { 'zh-TW': '地圖' }, url: 'https://example.edu/map' }],
    },
  ],
}

async function create(): Promise<string> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const { data } = await createMessage({ client: producer, headers, body, throwOnError: true })
  return data.id
}

/** What went wrong, from the details of each code. */
function explain({ error }: ErrorBody): string {
  switch (error.code) {
    case 'validation_error':
      return error.details.issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
    case 'content_violation':
      return error.details.violations.map(({ path, code }) => `${path}: ${code}`).join('; ')
    case 'missing_variable':
      return error.details.variables.join(', ')
    case 'invalid_transition':
      return `it is ${error.details.state}`
    default:
      return error.message
  }
}

function errorOf({ error }: { error?: ErrorBody }): string {
  if (!error) throw new Error('It was expected to fail.')
  return explain(error)
}

function textOf(message: CanonicalMessage): string {
  switch (message.kind) {
    case 'text':
      return message.text['zh-TW']
    case 'buttons':
      return message.actions.map(({ kind }) => kind).join(', ')
    default:
      return message.kind
  }
}

/** Compiled only: the forms of an event's answer, and the requests to callbacks. */
export function messageOf(answer: EventAnswer): string | undefined {
  return 'accepted' in answer ? (answer.messageId ?? undefined) : undefined
}
export function stateIn({ body }: Webhooks): string | undefined {
  return body && 'type' in body && body.type === 'message.state_changed' ? body.data.state : undefined
}

const id = await create()
const path = { id }
const { data: counted } = await dryRunMessage({ client: producer, path, throwOnError: true })
const { data: draft } = await getMessage({ client: producer, path, throwOnError: true })
const { data: page } = await listMessages({
  client: producer,
  query: { state: 'draft', limit: 5 },
  throwOnError: true,
})

const headers = { 'Idempotency-Key': crypto.randomUUID() }
const audience = { kind: 'individual' as const, uids: [] }
const invalid = await createMessage({ client: producer, headers, body: { ...body, audience } })
const badAddress: CreateMessage = {
  ...body,
  messages: [{ kind: 'image', url: 'http://example.edu/a.png', alt: { 'zh-TW': '校園' } }],
}
const { data: unshowable } = await createMessage({
  client: producer,
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: badAddress,
  throwOnError: true,
})
const violation = await submitMessage({ client: producer, path: { id: unshowable.id } })
const early = await approveMessage({ client: approver, path })
const unknown = await getMessage({ client: producer, path: { id: crypto.randomUUID() } })

await submitMessage({ client: producer, path, throwOnError: true })
const { data: approved } = await approveMessage({ client: approver, path, throwOnError: true })
const other = { id: await create() }
await submitMessage({ client: producer, path: other, throwOnError: true })
const reason = 'The day is missing.'
const { data: rejected } = await rejectMessage({
  client: approver,
  path: other,
  body: { reason },
  throwOnError: true,
})

console.log(
  JSON.stringify({
    recipients: counted.recipients.total,
    state: draft.state,
    content: draft.content?.messages?.map(textOf),
    listed: page.items.some((item) => item.id === id),
    invalid: errorOf(invalid),
    violation: errorOf(violation),
    early: errorOf(early),
    unknown: errorOf(unknown),
    approved,
    rejected,
  }),
)
