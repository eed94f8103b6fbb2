import type { z } from 'zod'
import { callbackRequestHeaders, callbackRequests } from '../callbacks/event.ts'
import { type Endpoint, errorBodiesOf, queryOf, type Tag } from '../endpoint.ts'
import { type JsonSchema, mergeComponents, toJsonSchemas } from './json-schema.ts'
import { describeOperation, type Operation } from './operation.ts'
import { securitySchemes } from './security.ts'
import { describeWebhooks, type Webhook } from './webhooks.ts'

const info = {
  title: 'Carillon',
  version: '1.0.0',
  description:
    'A durable notification hub: submit a message and its audience; Carillon checks consent and quota, obtains ' +
    'approval, sends at the scheduled time and accounts for every recipient. Every error has the same body; branch on ' +
    'its code.\n\n' +
    'Responses and callbacks may get further fields: ignore those that you do not know. Schemas whose name ends in ' +
    'Output are the form in responses of what requests contain.\n\n' +
    'Unknown fields and query parameters are rejected (400 validation_error); where no body is needed, {} is as good as ' +
    'none. Times are ISO 8601 with an offset of at most 14:00, or Z, and may omit the seconds. Ids of Carillon are ' +
    'compared without regard to case; nothing else is. An empty list in an audience, an empty en and an empty unitId ' +
    'count as omitted. A path with a method that it does not have fails with 405 method_not_allowed and Allow, before ' +
    'any other check. HEAD is answered like GET, without the body.',
}

const chapters: Record<Tag, string> = {
  Messages: 'Create, preview, submit, approve and send messages.',
  Catalogue: 'Categories and templates.',
  Topics: "A unit's topics; recipients can unsubscribe from each one separately.",
  Groups: 'Named sets of subjects, static or dynamic.',
  Units: 'Members and quota.',
  Identity: 'Subjects: addresses, consents, stage and tags. For administrative units.',
  Imports: 'Bulk import of subjects from a file.',
  Events: 'Signed system events and the bindings that turn them into messages.',
  'Recorded events': 'What became of each signed event, and processing one again.',
  Recipients: 'Inbox and preferences of the recipient identified by an ID token.',
  'Sign-in': 'Signing in to and out of the console.',
  Webhooks: 'Events from the channels: follows, blocks, taps, bounces and complaints.',
  Callbacks:
    "Signed requests to a unit's own endpoint when a message changes or is answered. The requests themselves are in " +
    'the section webhooks of this document.',
  Administration: 'For system administrators.',
  Service: 'Health and the API description.',
}

/** An OpenAPI 3.1 document. */
export type OpenApi = {
  openapi: '3.1.0'
  info: typeof info
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** Operations by path and lower-case method. */
  paths: Record<string, Record<string, Operation>>
  /** The requests that Carillon sends to callbacks, by type of event. */
  webhooks: Record<string, { post: Webhook }>
  components: { securitySchemes: typeof securitySchemes; schemas: Record<string, JsonSchema> }
}

/**
 * Describes a table of endpoints: every operation, and the named schemas they use.
 * @throws Error if a schema has no JSON form, shares its id with another, or differs between request and response
 */
export function describeApi(table: Record<string, Endpoint>): OpenApi {
  const endpoints = Object.entries(table).map(([id, endpoint]) => {
    const query = queryOf(endpoint)
    return { id, endpoint: { ...endpoint, query }, errors: errorBodiesOf(id, endpoint) }
  })
  const sent = toJsonSchemas(
    endpoints.flatMap(({ endpoint }) => schemasSent(endpoint)),
    'input',
  )
  const { schemas, answered } = mergeComponents(
    sent,
    toJsonSchemas(
      [
        ...endpoints.flatMap(({ endpoint, errors }) => [...schemasAnswered(endpoint), ...errors.values()]),
        ...Object.values(callbackRequests).map(({ schema }) => schema),
        callbackRequestHeaders,
      ],
      'output',
    ),
  )
  const paths: OpenApi['paths'] = {}
  for (const { id, endpoint, errors } of endpoints) {
    paths[endpoint.path] ??= {}
    paths[endpoint.path]![endpoint.method.toLowerCase()] = describeOperation(id, endpoint, {
      sent,
      answered,
      errors,
    })
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: Object.entries(chapters).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(answered),
    components: { securitySchemes, schemas },
  }
}

function schemasSent({ params, query, headers, body, lines, upload }: Endpoint): z.ZodType[] {
  const lists = Object.values({ lines, ...upload }).map((list) => list?.line)
  return [params, query, headers, body, ...lists].filter((schema) => schema !== undefined)
}

function schemasAnswered({ answers }: Endpoint): z.ZodType[] {
  return Object.values(answers).map(({ schema }) => schema)
}
