import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { broken } from '../../contract/rules.ts'
import { unstorableFault } from '../../domain/lib/json-values.ts'
import { clipPath, pathOf, requestError } from '../../services/validation-error.ts'
import { jsonParser } from './json.ts'

/**
 * Parses JSON bodies. A call without a body may carry any content type. Keys that would reach a prototype are rejected.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = jsonParser(app, 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string) => {
      if (body === '') return undefined
      const value = await parse(request, body)
      // Without a body fastify checks null too, which must not pass for one.
      if (value === null) throw requestError('Send a JSON object, or no body at all.', isNull)
      return value
    },
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

const isNull = { path: '', ...broken('wrong_type', { expected: 'object', actual: 'null' }) }

/** The error of a body in another media type. */
export function notJson(contentType: string | undefined): ServiceError {
  const actual = contentType === undefined ? null : clipPath(contentType)
  return requestError('Send the body as application/json.', {
    path: '',
    ...broken('wrong_media_type', { values: ['application/json'], actual }),
  })
}

/**
 * Rejects what JSON allows and Postgres cannot store, anywhere in a value: NUL characters and lone surrogates, in texts
 * and in keys, and nesting that would overflow a stack. Run after the schema, which limits what there is to walk.
 * @throws ServiceError validation_error
 */
export function rejectUnstorableText(root: unknown): void {
  const fault = root instanceof Readable ? null : unstorableFault(root, limits.jsonDepth)
  if (fault === null) return
  const issue = { path: clipPath(pathOf(fault.path)), ...fault.broken }
  throw requestError(`The request is invalid: ${issue.path || 'body'}: ${issue.message}.`, issue)
}
