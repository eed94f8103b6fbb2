import type { z } from 'zod'
import { callbackRequestHeaders, callbackRequests } from '../callbacks/event.ts'
import { exampleId } from '../example-ids.ts'
import { limits } from '../limits.ts'
import { lookupRequest } from '../scenarios/lookup-request.ts'
import type { JsonSchemas } from './json-schema.ts'
import { type Content, type Parameter, parametersIn } from './operation.ts'
import { signedBy } from './security.ts'

/** A request that Carillon sends, as an Operation Object of OpenAPI 3.1. */
export type Webhook = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { description: string; required: true; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

const signed =
  'Sent with POST to the URL of the callback. Verify the signature over the raw body before you read it, with any ' +
  'library of Standard Webhooks. Answer within 10 seconds and process the request afterwards; the same webhook-id may ' +
  'arrive more than once.'

const responses = {
  '2XX': { description: 'Received. The body of the response is ignored.' },
  410: { description: 'Disables the callback, and discards its pending deliveries.' },
  default: {
    description:
      'Anything else, a redirect or no response within 10 seconds: sent again after 5 seconds, 5 minutes, 30 minutes, ' +
      'and 2, 5, 10 and 10 hours. A test is not repeated.',
  },
}

/** The requests to callbacks, by type of event. */
export function describeWebhooks(answered: JsonSchemas): Record<string, { post: Webhook }> {
  return Object.fromEntries(
    Object.entries(callbackRequests).map(([type, { summary, description, schema, example }]) => {
      const content = { 'application/json': { schema: answered.byZod.get(schema)!, example } }
      const post: Webhook = {
        operationId: operationIdOf(type),
        summary,
        description: `${description}\n\n${signed}`,
        tags: ['Callbacks'],
        security: signedBy('callback'),
        parameters: parametersIn('header', callbackRequestHeaders, answered),
        requestBody: { description: 'The event.', required: true, content },
        responses,
      }
      return [type, { post }]
    }),
  )
}

/** `message.state_changed` → `onMessageStateChanged`. */
function operationIdOf(type: string): string {
  return `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`
}

const askedOnce =
  'Sent during a conversation, to the address of the node, if a system administrator has registered its origin ' +
  '(POST /v1/admin/lookup-endpoints). Verify the signature over what arrived before you read it. It is sent once and ' +
  'never repeated.'

const kibibyte = 1_024

/** The request of a Lookup, with either method. */
export function describeLookup(answered: JsonSchemas): { get: Webhook; post: Webhook } {
  const jsonOf = (schema: z.ZodType, example: unknown) => ({
    'application/json': { schema: answered.byZod.get(schema)!, example },
  })
  const answer = jsonOf(lookupRequest.answer, { order: { id: 'A-1001', status: 'shipped' } })
  const common = {
    tags: ['Administration'],
    security: signedBy('lookup'),
    responses: {
      '2XX': {
        description:
          `A JSON object of at most ${limits.lookupAnswerBytes / kibibyte ** 2} MiB, complete within ` +
          `${limits.lookupTimeoutMs / 1_000} seconds of the request. Its fields become variables of the run, which have ` +
          `${limits.runVariablesBytes / kibibyte} KiB together.`,
        content: answer,
      },
      default: {
        description: "Anything else, a redirect or no answer in time: the node's edge for errors is taken.",
      },
    },
  }
  const headers = parametersIn('header', lookupRequest.headers, answered)
  const body = jsonOf(lookupRequest.body, { subject: exampleId, orderId: 'A-1001' })
  return {
    get: {
      ...common,
      operationId: 'onLookupByGet',
      summary: 'A scenario asks for data (GET)',
      description: `${askedOnce} The variables that the node names follow in the query: texts as they are, everything else as JSON.`,
      parameters: [...headers, ...parametersIn('query', lookupRequest.query, answered)],
    },
    post: {
      ...common,
      operationId: 'onLookupByPost',
      summary: 'A scenario asks for data (POST)',
      description: askedOnce,
      parameters: headers,
      requestBody: {
        description: 'The person, and the variables that the node names.',
        required: true,
        content: body,
      },
    },
  }
}
