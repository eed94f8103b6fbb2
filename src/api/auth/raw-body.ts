import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { broken } from '../../contract/rules.ts'
import type { Caller } from '../../domain/rights/principal.ts'
import { requestError } from '../../services/validation-error.ts'
import { jsonParser } from '../plugins/json.ts'
import type { VerifyBody } from './adapter-signature.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Verifies the signature over the raw body; null for operations without one. */
    verifyBody: VerifyBody<Caller> | null
  }
}

/**
 * Keeps the raw body, verifies the signature over its bytes, and only then parses it as JSON. A request without a
 * signature, or with an unknown key, is rejected before its body is read.
 */
export function verifyRawBody(scope: FastifyInstance, endpoint: Endpoint): void {
  const scheme = endpoint.auth.includes('event') ? 'event' : 'adapter'
  const read = (scheme === 'event' ? strictReader : lenientReader)(scope)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.addHook('onRequest', async (request, reply) => {
    // The signature is verified first, whatever content type the caller sends.
    request.headers['content-type'] = 'application/octet-stream'
    try {
      request.verifyBody = await scope.authenticators[scheme](request)
    } catch (refused) {
      await scope.admit(request, reply, () => Promise.reject(refused))
    }
  })
  scope.addHook('preValidation', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    request.principal = await scope.admit(request, reply, async () => request.verifyBody!(body))
    request.body = await read(request, body)
  })
}

type ReadBody = (request: FastifyRequest, body: Buffer) => Promise<unknown>

/** Parses a producer's body, whatever it holds: the operation records what is invalid in it. Only what is no JSON is rejected. */
function strictReader(scope: FastifyInstance): ReadBody {
  const parse = jsonParser(scope, 'ignore')
  return async (request, body) => parse(request, textOf(body))
}

/**
 * Parses a channel's body: events of many people, which the channel repeats if it is rejected. Unstorable text in one
 * event must not reject the others: the service that stores them checks each one.
 */
function lenientReader(scope: FastifyInstance): ReadBody {
  const parse = jsonParser(scope, 'remove')
  return async (request, body) =>
    body.length === 0 ? undefined : parse(request, new TextDecoder().decode(body))
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw requestError('The body is not UTF-8. Send well-formed JSON in UTF-8.', {
      path: '',
      ...broken('wrong_format', { format: 'json_utf8' }),
    })
  }
}
