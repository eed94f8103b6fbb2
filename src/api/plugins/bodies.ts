import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServiceError } from '../../contract/errors.ts'
import { clipPath, requestError } from '../../services/validation-error.ts'
import { jsonParser } from './json.ts'
import { rejectUnstorableText } from './unstorable-text.ts'

/**
 * Parses JSON bodies. A call without a body may carry any content type. Keys that would reach a prototype are rejected.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = jsonParser(app, 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string) => (body === '' ? undefined : parse(request, body)),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, async ({ headers }: FastifyRequest, body: string) => {
    if (body !== '') throw notJson(headers['content-type'])
  })
  app.addHook('preHandler', async ({ body, query, principal, routeOptions }) => {
    const { schema } = routeOptions
    // A channel's events are judged one by one (services/webhooks); its query and other bodies are never read.
    if (principal?.kind === 'adapter') return
    if (schema?.body) rejectUnstorableText(body)
    if (schema?.querystring) rejectUnstorableText(query)
  })
}

/** The error of a body in another media type. */
export function notJson(contentType: string | undefined): ServiceError {
  const came = contentType === undefined ? 'a body without a Content-Type' : clipPath(contentType)
  return requestError('Send the body as application/json.', {
    path: '',
    message: `must be application/json, not ${came}`,
  })
}
