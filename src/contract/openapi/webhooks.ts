import { callbackRequestHeaders, callbackRequests } from '../callbacks/event.ts'
import type { JsonSchemas } from './json-schema.ts'
import { type Content, type Parameter, parametersIn } from './operation.ts'

/** A request that Carillon sends, as an Operation Object of OpenAPI 3.1. */
export type Webhook = {
  summary: string
  description: string
  tags: string[]
  parameters: Parameter[]
  requestBody: { description: string; required: true; content: Content }
  responses: Record<string, { description: string }>
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
        summary,
        description: `${description}\n\n${signed}`,
        tags: ['Callbacks'],
        parameters: parametersIn('header', callbackRequestHeaders, answered),
        requestBody: { description: 'The event.', required: true, content },
        responses,
      }
      return [type, { post }]
    }),
  )
}
