import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { parseInTurn } from './parse-in-turn.ts'
import { rejectUnstorableText } from './unstorable-text.ts'

/**
 * Parses JSON bodies. A call without a body may carry any content type. Keys that would reach a prototype are rejected.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string) =>
      body === '' ? undefined : parseInTurn(parseJson, request, body),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    done(new ServiceError('validation_error', 'Send the body as application/json.'), undefined)
  })
  app.addHook('preHandler', async ({ body, query, principal, routeOptions }) => {
    const { schema } = routeOptions
    // A channel's events are judged one by one (services/webhooks); other bodies and queries are never read.
    if (schema?.body && principal?.kind !== 'adapter') rejectUnstorableText(body)
    if (schema?.querystring) rejectUnstorableText(query)
  })
}
