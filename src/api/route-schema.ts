import type { z } from 'zod'
import { type Endpoint, errorsOf } from '../contract/endpoint.ts'
import { ErrorBody } from '../contract/error-body.ts'
import { errorStatus } from '../contract/errors.ts'

/** What fastify checks requests with, writes answers with, and describes the operation by. */
export function routeSchema(operationId: string, endpoint: Endpoint) {
  const { summary, description, tag, params, query, headers, body } = endpoint
  return {
    operationId,
    summary,
    description: `${description}\n\n${whoMayCall(endpoint)}`,
    tags: [tag],
    security: endpoint.doors.map((door) => ({ [door]: [] })),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    // Without a body fastify asks the schema about null.
    ...(body && { body: endpoint.bodyOptional ? body.nullish() : body }),
    response: { ...answers(endpoint), ...errors(endpoint) },
  }
}

function whoMayCall({ doors, roles, unit, administrative, systemAdmin }: Endpoint): string {
  if (doors.length === 0) return 'Open to everybody.'
  const person = systemAdmin ? ' (system administrator)' : roles ? ` (${roles.join(' or ')})` : ''
  const callers = {
    producer: `a producer key${administrative ? ' of an administrative unit' : ''}`,
    session: `a console session${person}`,
    recipient: 'an id token of the chat provider',
    event: 'an event signature',
    adapter: "a channel's signature",
  }
  const who = `May be called with ${doors.map((door) => callers[door]).join(' or ')}.`
  const where = { body: 'body', query: 'query' }[unit as 'body' | 'query']
  return where ? `${who} Sessions with several units say unitId in the ${where}.` : who
}

function answers(endpoint: Endpoint) {
  return Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, { description, schema, contentType }]) => [
      status,
      { description, content: { [contentType ?? 'application/json']: { schema } } },
    ]),
  )
}

/** Errors by status; the codes that a status can carry stand in its description. */
function errors(
  endpoint: Endpoint,
): Record<string, { description: string; content: Record<string, { schema: z.ZodType }> }> {
  const codes = errorsOf(endpoint)
  const statuses = [...new Set(codes.map((code) => errorStatus[code]))]
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes.filter((code) => errorStatus[code] === status).join(', '),
        content: { 'application/json': { schema: ErrorBody } },
      },
    ]),
  )
}
