import type { z } from 'zod'
import type { AuthScheme, Endpoint, Tag } from '../endpoint.ts'
import { ErrorBody } from '../error-body.ts'
import { type JsonSchema, mergeComponents, toJsonSchemas } from './json-schema.ts'
import { describeOperation, type Operation } from './operation.ts'

const info = {
  title: 'Carillon',
  version: '1.0.0',
  description:
    'A durable notification hub: say what to tell whom; Carillon checks consent and quota, gets an approval, sends ' +
    'at the right time and accounts for every recipient. Every error has the same body; its code is for programs.',
}

const chapters: Record<Tag, string> = {
  Messages: 'Write, preview, submit, approve, send.',
  Catalogue: 'Categories and templates.',
  Topics: "A unit's topics; recipients unsubscribe from each by itself.",
  Groups: 'People a unit keeps together, with the legal basis for it.',
  Units: 'Members and quota.',
  Identity: 'Subjects: addresses, consents, stage, tags; for administrative units.',
  Imports: 'Many people at once, from a file.',
  Events: 'Signed system events, and what they are bound to.',
  Recipients: 'Inbox and preferences of the person an id token names.',
  'Sign-in': 'How people of the console sign in and out.',
  Webhooks: 'What channels tell: follows, blocks, taps, bounces.',
  Callbacks: "Signed calls to a unit's own address when a message changes.",
  Administration: 'For system administrators.',
  Service: 'How Carillon itself is.',
}

type SecurityScheme =
  | { type: 'http'; scheme: 'bearer'; bearerFormat: string }
  | { type: 'apiKey'; in: 'cookie' | 'header'; name: string }

const securitySchemes: Record<AuthScheme, SecurityScheme> = {
  producer: { type: 'http', scheme: 'bearer', bearerFormat: 'hub_<id>_<secret>' },
  session: { type: 'apiKey', in: 'cookie', name: 'hub_session' },
  recipient: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  event: { type: 'apiKey', in: 'header', name: 'X-Service-Signature' },
  adapter: { type: 'apiKey', in: 'header', name: 'X-Channel-Signature' },
}

/** The interface description: a document of OpenAPI 3.1. */
export type OpenApi = {
  openapi: '3.1.0'
  info: typeof info
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** Operations by path and method, in lower case. */
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: typeof securitySchemes; schemas: Record<string, JsonSchema> }
}

/**
 * Describes a table of endpoints. The document has every operation of the table and the named schemas these use.
 * @throws Error where a schema has no JSON form, shares its id with another, or is sent in another form than it is
 *   answered in
 */
export function describeApi(endpoints: Record<string, Endpoint>): OpenApi {
  const sent = toJsonSchemas(Object.values(endpoints).flatMap(schemasSent), 'input')
  const answered = toJsonSchemas([...Object.values(endpoints).flatMap(schemasAnswered), ErrorBody], 'output')
  const paths: OpenApi['paths'] = {}
  for (const [id, endpoint] of Object.entries(endpoints)) {
    paths[endpoint.path] ??= {}
    paths[endpoint.path]![endpoint.method.toLowerCase()] = describeOperation(id, endpoint, sent, answered)
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: Object.entries(chapters).map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes, schemas: mergeComponents(sent, answered) },
  }
}

function schemasSent({ params, query, headers, body }: Endpoint): z.ZodType[] {
  return [params, query, headers, body].filter((schema) => schema !== undefined)
}

function schemasAnswered({ answers }: Endpoint): z.ZodType[] {
  return Object.values(answers).map(({ schema }) => schema)
}
