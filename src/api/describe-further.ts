import { type Endpoint, errorsOf, isLimited } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { errorMeanings } from '../contract/error-meanings.ts'
import { errorStatus } from '../contract/errors.ts'

type Schema = { anyOf?: Schema[] }
type Content = Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, unknown> }>
type Operation = {
  parameters?: { in: string; name: string }[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { headers?: Record<string, unknown>; content?: Content }>
}
/** As much of OpenAPI 3.1 as is touched here. */
type Description = { paths?: Record<string, Record<string, Operation>> }

/** Puts into the description what schemas do not say: examples, every error by its code, which bodies may be left out. */
export function describeFurther<D>(document: D): D {
  const { paths } = document as Description
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    const operation = paths?.[endpoint.path]?.[endpoint.method.toLowerCase()]
    if (!operation) continue
    describeBody(operation, endpoint)
    describeUpload(operation, endpoint)
    describeAnswers(operation, endpoint)
    if (isLimited(endpoint.path)) describeRate(operation)
    nameHeaders(operation)
  }
  return document
}

function describeBody(
  { requestBody: body }: Operation,
  { bodyExample, bodyOptional = false }: Endpoint,
): void {
  const content = body?.content['application/json']
  if (!body || !content) return
  content.example = bodyExample
  body.required = !bodyOptional
  // Inside, a body that was left out is null; nobody needs to send that.
  if (bodyOptional && content.schema?.anyOf?.[0]) content.schema = content.schema.anyOf[0]
}

/** A file has no schema; each type it may be of is shown with an example. */
function describeUpload(operation: Operation, { upload }: Endpoint): void {
  if (!upload) return
  const content = Object.entries(upload).map(([type, example]) => [type, { example }])
  operation.requestBody = { required: true, content: Object.fromEntries(content) }
}

function describeAnswers({ responses }: Operation, endpoint: Endpoint): void {
  for (const [status, answer] of Object.entries(endpoint.answers)) {
    const content = responses[status]?.content?.[answer.contentType ?? 'application/json']
    if (content) content.example = answer.example
    if (status.startsWith('3') && responses[status])
      responses[status].headers = { Location: { description: 'Where to go.', schema: { type: 'string' } } }
  }
  for (const code of errorsOf(endpoint)) {
    const response = responses[errorStatus[code]]
    const content = response?.content?.['application/json']
    if (!response || !content) continue
    content.examples = {
      ...content.examples,
      [code]: { summary: errorMeanings[code], value: { error: { code, message: errorMeanings[code] } } },
    }
    if (errorStatus[code] === 503 || errorStatus[code] === 429)
      response.headers = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } }
  }
}

/** How many calls a caller has, and has left, stands on every answer but where the fault is ours. */
function describeRate({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses))
    if (Number(status) < 500)
      response.headers = {
        ...response.headers,
        'X-RateLimit-Limit': { description: 'Calls within a minute.', schema: { type: 'integer' } },
        'X-RateLimit-Remaining': { description: 'Of these, what is left.', schema: { type: 'integer' } },
      }
}

/** Header names are written as people know them: Idempotency-Key. */
function nameHeaders(operation: Operation): void {
  for (const parameter of operation.parameters ?? [])
    if (parameter.in === 'header')
      parameter.name = parameter.name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}
