import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { type ErrorCode, RetryLater, ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import { requestError } from '../../services/validation-error.ts'
import { notJson } from './bodies.ts'
import { noteRoutes } from './paths.ts'
import { isStreamed } from './upload.ts'

/** Value of Retry-After (seconds). */
const retryAfterSeconds = 1
const temporary: ErrorCode[] = ['unavailable', 'retryable']

/**
 * Turns every thrown error into `{error: {code, message, details?}}`, never a stack. `noSuchPage`: what a browser gets
 * that opens an address which nothing has.
 */
export function answerErrors(app: FastifyInstance, noSuchPage: NoSuchPage): void {
  app.setErrorHandler((error, request, reply) => {
    const noOperation = error instanceof NoOperation && noSuchPage(request, reply)
    if (!noOperation) answerError(error, request, reply)
  })
  app.setNotFoundHandler(() => {
    throw new NoOperation()
  })
  const routes = noteRoutes(app)
  // Answered here, before the body of such a request is read. The router gives `PUT /v1/scenarios/simulate` to the scenario
  // of that id, because it keeps a tree of paths for each method.
  app.addHook('onRequest', async (request, reply) => {
    const byParameter = request.routeOptions.url?.includes(':') === true
    if (!request.is404 && !byParameter) return
    const methods = request.is404 ? routes.ofPath(request.url) : routes.ofLiteral(request.url)
    if (methods === undefined) return
    if (methods.length === 0) throw new NoOperation()
    reply.header('allow', methods.join(', '))
    throw otherMethod(request.method, methods)
  })
}

/** Shows a page to a browser; false: the request is none of a browser, and gets the error. */
type NoSuchPage = (request: FastifyRequest, reply: FastifyReply) => boolean

/** Answers an error. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = prepareError(thrown, request, reply)
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
  reply.send(bodyOf(error))
}

/** Sets status and headers of an error response and logs it. Returns the thrown error as a ServiceError. */
export function prepareError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): ServiceError {
  const error = thrown instanceof ServiceError ? thrown : asServiceError(thrown, request)
  if (error.code === 'internal' || error.code === 'unavailable')
    request.log[error.code === 'internal' ? 'error' : 'warn']({ err: thrown }, 'request failed')
  if (error instanceof RetryLater) reply.header('retry-after', Math.ceil(error.afterMs / 1_000))
  else if (temporary.includes(error.code)) reply.header('retry-after', retryAfterSeconds)
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="carillon"')
  // Nothing reads the rest of an upload that was refused: a client that sends all of it before it reads would wait for long.
  if (isStreamed(request) && !request.raw.complete) reply.header('connection', 'close')
  reply.code(error.status)
  return error
}

/** The body of an error (contract/error-body.ts). */
export function bodyOf({ code, message, details }: Pick<ServiceError, 'code' | 'message' | 'details'>) {
  return { error: { code, message, ...(details === undefined ? {} : { details }) } }
}

function asServiceError(thrown: unknown, request: FastifyRequest): ServiceError {
  if (isUnavailable(thrown))
    return new ServiceError('unavailable', 'The database is unavailable. Try again in a moment.')
  return (
    fromFastify(thrown as FastifyError, request) ??
    new ServiceError(
      'internal',
      'Internal error. It has been logged under the X-Request-Id of this response.',
    )
  )
}

/** Translates what fastify itself rejects: bodies it does not accept, paths it cannot parse. */
function fromFastify(
  { code, statusCode }: FastifyError,
  { routeOptions, headers }: FastifyRequest,
): ServiceError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ServiceError('payload_too_large', tooLarge(routeOptions))
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson(headers['content-type'])
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return requestError('The request is malformed. Check its headers and its body.', {
      path: '',
      ...broken('wrong_format', { format: 'request' }),
    })
  return undefined
}

/** The limit of a JSON body, and what to use beyond it. */
function tooLarge({ bodyLimit, config }: FastifyRequest['routeOptions']): string {
  const endpoint: Endpoint | undefined = config.operation && endpoints[config.operation]
  const instead = endpoint?.lines
    ? 'Send a longer list as application/x-ndjson, with one entry per line.'
    : 'Shorten it, or split it into several requests.'
  return `The body is too large. Send at most ${bodyLimit} bytes. ${instead}`
}

class NoOperation extends ServiceError {
  constructor() {
    super('not_found', 'No such operation. Check the path; /docs lists all operations.')
  }
}

function otherMethod(method: string, methods: string[]): ServiceError {
  return new ServiceError(
    'method_not_allowed',
    `This path does not have ${method}. Use one of ${methods.join(', ')}; /docs lists all operations.`,
  )
}
