import { randomBytes } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

/** Shows the API reference at /docs, where people can also try the operations. */
export function docsRoutes(app: FastifyInstance): void {
  const nonce = randomBytes(16).toString('base64')
  app.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', pagePolicy(nonce))
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Carillon',
        nonce,
        // Nothing from other hosts: no fonts, no proxy, no telemetry, no assistant.
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

/** Scalar adds style elements at run time; scripts need the nonce or this origin. */
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
