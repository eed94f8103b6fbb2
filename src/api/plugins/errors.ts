import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, ServiceError } from '../../contract/errors.ts'
import { isUnavailable } from '../../db/unavailable.ts'

/** Seconds after which it is worth trying again. */
const retryAfterSeconds = 1
const comesBack: ErrorCode[] = ['unavailable', 'retryable']

/** One place turns everything that is thrown into `{error: {code, message, details?}}`; never a stack. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) => answerError(noOperation(), request, reply))
}

/** Also for what fastify refuses before it has found a route. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = prepareError(thrown, request, reply)
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
  reply.send(bodyOf(error))
}

/** Everything of an error's answer but its body; answers what was thrown as an error of ours. */
export function prepareError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): ServiceError {
  const error = thrown instanceof ServiceError ? thrown : asServiceError(thrown, request)
  if (error.code === 'internal' || error.code === 'unavailable')
    request.log[error.code === 'internal' ? 'error' : 'warn']({ err: thrown }, 'request failed')
  if (comesBack.includes(error.code)) reply.header('retry-after', retryAfterSeconds)
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="carillon"')
  reply.code(error.status)
  return error
}

/** The body of an error, as it stands in contract/error-body.ts. */
export function bodyOf({ code, message, details }: Pick<ServiceError, 'code' | 'message' | 'details'>) {
  return { error: { code, message, ...(details === undefined ? {} : { details }) } }
}

function asServiceError(thrown: unknown, request: FastifyRequest): ServiceError {
  if (isUnavailable(thrown))
    return new ServiceError('unavailable', 'Carillon cannot reach its database now. Try again in a moment.')
  return (
    fromFastify(thrown as FastifyError, request) ??
    new ServiceError('internal', 'This is our fault, and it is logged.')
  )
}

/** What fastify itself refuses: bodies it cannot take, paths it cannot read. */
function fromFastify(
  { code, statusCode }: FastifyError,
  { routeOptions }: FastifyRequest,
): ServiceError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ServiceError(
      'payload_too_large',
      `The body is too large. Send at most ${routeOptions.bodyLimit} bytes.`,
    )
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ServiceError('validation_error', 'Send the body as application/json.')
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return noOperation()
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ServiceError('validation_error', 'The request cannot be read. Send well-formed JSON.')
  return undefined
}

function noOperation(): ServiceError {
  return new ServiceError('not_found', 'There is no such operation. Check method and path; see /docs.')
}
