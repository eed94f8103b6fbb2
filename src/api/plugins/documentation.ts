import { randomBytes } from 'node:crypto'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { describeFurther } from '../describe-further.ts'
import { tidySchemas } from '../tidy-schemas.ts'

const about: NonNullable<FastifyDynamicSwaggerOptions['openapi']> = {
  openapi: '3.1.0',
  info: {
    title: 'Carillon',
    version: '1.0.0',
    description:
      'A durable notification hub: say what to tell whom; Carillon checks consent and quota, gets an approval, sends ' +
      'at the right time and accounts for every recipient. Every error has the same body; its code is for programs.',
  },
  servers: [{ url: '/' }],
  tags: [
    { name: 'Messages', description: 'Write, preview, submit, approve, send.' },
    { name: 'Catalogue', description: 'Categories and templates.' },
    { name: 'Topics', description: "A unit's topics; recipients unsubscribe from each by itself." },
    { name: 'Groups', description: 'People a unit keeps together, with the legal basis for it.' },
    { name: 'Units', description: 'Members and quota.' },
    {
      name: 'Identity',
      description: 'Subjects: addresses, consents, stage, tags; for administrative units.',
    },
    { name: 'Imports', description: 'Many people at once, from a file.' },
    { name: 'Events', description: 'Signed system events, and what they are bound to.' },
    { name: 'Recipients', description: 'Inbox and preferences of the person an id token names.' },
    { name: 'Sign-in', description: 'How people of the console sign in and out.' },
    { name: 'Webhooks', description: 'What channels tell: follows, blocks, taps, bounces.' },
    { name: 'Callbacks', description: "Signed calls to a unit's own address when a message changes." },
    { name: 'Administration', description: 'For system administrators.' },
    { name: 'Service', description: 'How Carillon itself is.' },
  ],
  components: {
    securitySchemes: {
      producer: { type: 'http', scheme: 'bearer', bearerFormat: 'hub_<id>_<secret>' },
      session: { type: 'apiKey', in: 'cookie', name: 'hub_session' },
      recipient: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      event: { type: 'apiKey', in: 'header', name: 'X-Service-Signature' },
      adapter: { type: 'apiKey', in: 'header', name: 'X-Channel-Signature' },
    },
  },
}

/** Describes every operation that is registered after it, and shows the description at /docs. */
export async function describe(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: about,
    transform: jsonSchemaTransform,
    transformObject: (document) => describeFurther(tidySchemas(jsonSchemaTransformObject(document))),
  })
  const nonce = randomBytes(16).toString('base64')
  await app.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', pagePolicy(nonce))
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Carillon',
        nonce,
        // Nothing from other hosts: no fonts, no proxy, no counting of visitors, no assistant.
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
        hideClientButton: true,
      },
    })
  })
}

/** Scalar writes style elements as it runs; scripts need the nonce or come from us. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
