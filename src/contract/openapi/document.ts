import type { z } from 'zod'
import { callbackRequestHeaders, callbackRequests } from '../callbacks/event.ts'
import { type Endpoint, errorBodiesOf, queryOf, type Tag } from '../endpoint.ts'
import { lookupRequest } from '../scenarios/lookup-request.ts'
import { introduction } from './introduction.ts'
import { type JsonSchema, mergeComponents, toJsonSchemas } from './json-schema.ts'
import { describeOperation, type Operation } from './operation.ts'
import { securitySchemes } from './security.ts'
import { describeLookup, describeWebhooks, type Webhook } from './webhooks.ts'

/** What each chapter is about, and the pages of docs/api that explain it. */
const chapters: Record<Tag, { about: string; pages: readonly string[] }> = {
  Messages: { about: 'Create, preview, submit, approve and send messages.', pages: ['messages'] },
  Media: { about: 'Pictures that units upload for their messages.', pages: ['media'] },
  Catalogue: { about: 'Categories and templates.', pages: ['templates'] },
  Scenarios: {
    about: 'Conversations of several steps with one person: their versions and activation.',
    pages: ['scenarios'],
  },
  Patterns: {
    about: 'Registrations, surveys and invitations to answer, which generate a scenario.',
    pages: ['patterns'],
  },
  Topics: {
    about: "A unit's topics; recipients can unsubscribe from each one separately.",
    pages: ['topics'],
  },
  Groups: { about: 'Named sets of subjects, static or dynamic.', pages: ['groups'] },
  Units: {
    about: 'Members, quota, keys, and numbers.',
    pages: ['units', 'keys', 'metrics', 'summary', 'audit'],
  },
  Identity: {
    about: 'Subjects: addresses, consents, stage and tags. For administrative units.',
    pages: ['subjects'],
  },
  Imports: { about: 'Bulk import of subjects from a file.', pages: ['imports'] },
  Events: {
    about: 'Signed system events and the bindings that turn them into messages.',
    pages: ['events', 'event-bindings'],
  },
  'Recorded events': {
    about: 'The outcome of each signed event, and replaying one.',
    pages: ['recorded-events'],
  },
  Recipients: {
    about: 'Inbox and preferences of the recipient identified by an ID token.',
    pages: ['recipients'],
  },
  'Sign-in': { about: 'Signing in to and out of the console.', pages: ['sign-in'] },
  Webhooks: {
    about:
      'Events from the channels, and from the conversational assistant: follows, blocks, taps, bounces, complaints, handoffs.',
    pages: ['webhooks', 'handoffs'],
  },
  Callbacks: {
    about:
      "Signed requests to a unit's own endpoint when a message changes or is answered. The requests themselves are in " +
      'the section webhooks of this document.',
    pages: ['callbacks'],
  },
  Runs: { about: 'The state, path and answers of the runs of a scenario.', pages: ['runs'] },
  Schedules: { about: 'Messages and starts of scenarios at set times.', pages: ['schedules'] },
  Handoffs: { about: 'Conversations that people of a unit take over.', pages: ['handoffs'] },
  Administration: { about: 'For system administrators.', pages: ['administration', 'lookups'] },
  Service: { about: 'Health and the API description.', pages: ['service'] },
}

/** The version of the interface, which paths call /v1; that of an installation is another (src/version.ts). */
const contractVersion = '1.0.0'

/** An OpenAPI 3.1 document. */
export type OpenApi = {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    contact: { name: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** Operations by path and lower-case method. */
  paths: Record<string, Record<string, Operation>>
  /** The requests that Carillon sends: to callbacks, by type of event, and Lookups. */
  webhooks: Record<string, { get?: Webhook; post: Webhook }>
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
        ...Object.values(lookupRequest),
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
    info: {
      title: 'Carillon',
      version: contractVersion,
      description: introduction,
      contact: { name: 'The operator of this installation' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(chapters).map(([name, { about, pages }]) => ({
      name,
      description: `${about} ${links(pages)}`,
    })),
    paths,
    webhooks: { ...describeWebhooks(answered), lookup: describeLookup(answered) },
    components: { securitySchemes, schemas },
  }
}

function links(pages: readonly string[]): string {
  return `More: ${pages.map((page) => `[${page.replace('-', ' ')}](/docs/api/${page})`).join(', ')}.`
}

function schemasSent({ params, query, headers, body, lines, upload }: Endpoint): z.ZodType[] {
  const lists = Object.values({ lines, ...upload }).map((list) => list?.line)
  return [params, query, headers, body, ...lists].filter((schema) => schema !== undefined)
}

function schemasAnswered({ answers }: Endpoint): z.ZodType[] {
  return Object.values(answers).map(({ schema }) => schema)
}
