import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ServiceError } from '../../contract/errors.ts'
import { rejectUnstorableText } from '../plugins/unstorable-text.ts'

/**
 * Keeps the raw body, verifies the signature over its bytes, and only then parses it as JSON.
 */
export function verifyRawBody(scope: FastifyInstance, endpoint: Endpoint): void {
  const scheme = endpoint.auth.includes('event') ? 'event' : 'adapter'
  const read = scheme === 'event' ? readStrictly : readLeniently
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // The signature is verified first, whatever content type the caller sends.
  scope.addHook('onRequest', async ({ headers }) => {
    headers['content-type'] = 'application/octet-stream'
  })
  scope.addHook('preValidation', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    request.principal = await scope.admit(request, reply, async () => {
      const verify = scope.authenticators[scheme]
      if (verify) return verify(request, body)
      throw new ServiceError('unauthenticated', 'This installation accepts no calls of this kind.')
    })
    request.body = body.length === 0 ? undefined : await read(scope, request, body)
  })
}

/** Parses a producer's body. An error names what is invalid, so that the producer can correct it. */
async function readStrictly(scope: FastifyInstance, request: FastifyRequest, body: Buffer): Promise<unknown> {
  const value = await parsed(scope.getDefaultJsonParser('error', 'error'), request, textOf(body))
  rejectUnstorableText(value)
  return value
}

/**
 * Parses a channel's body: events of many people, which the channel repeats if it is rejected. Unstorable text in one
 * event must not reject the others: the service that stores them checks each one.
 */
function readLeniently(scope: FastifyInstance, request: FastifyRequest, body: Buffer): Promise<unknown> {
  return parsed(scope.getDefaultJsonParser('remove', 'remove'), request, new TextDecoder().decode(body))
}

type Parse = ReturnType<FastifyInstance['getDefaultJsonParser']>

function parsed(parse: Parse, request: FastifyRequest, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    parse(request, text, (error, value) => (error ? reject(error) : resolve(value)))
  })
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ServiceError('validation_error', 'The body is not UTF-8. Send well-formed JSON in UTF-8.')
  }
}
