import { randomBytes } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { AuthScheme } from '../../contract/endpoint.ts'
import { icon } from '../console/kit/page.ts'

/** The auth scheme that the page offers first. A request of a browser with a session carries the cookie by itself. */
const preferred = (scheme: AuthScheme) => ({ preferredSecurityScheme: scheme })

/** Shows the API reference at /docs, where people can also try the operations: with their session, or with a key. */
export function docsRoutes(app: FastifyInstance): void {
  const nonce = randomBytes(16).toString('base64')
  app.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', pagePolicy(nonce))
    })
    // Scalar renders the same page for everybody.
    docs.addHook<string>('onSend', async ({ cookies }, reply, page) => {
      if (typeof page !== 'string' || !page.startsWith('<!doctype html>')) return page
      reply.header('cache-control', 'no-store')
      const withIcon = page.replace('<head>', `<head>\n    <link rel="icon" href="${icon}">`)
      return cookies.hub_session
        ? withIcon.replace(scalarText(preferred('producer')), scalarText(preferred('session')))
        : withIcon
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Carillon',
        nonce,
        authentication: preferred('producer'),
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

/** The entries of an object, as Scalar writes them into its page. */
function scalarText(entries: Record<string, string>): string {
  return JSON.stringify(entries, null, 2).slice(1, -1).trim()
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
