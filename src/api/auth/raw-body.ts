import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ServiceError } from '../../contract/errors.ts'
import { refuseOddText } from '../plugins/odd-text.ts'

/**
 * Lets the bytes of a body through as they came, has the operation's door verify the signature over exactly these, and
 * only then reads them as JSON.
 */
export function verifyRawBody(scope: FastifyInstance, endpoint: Endpoint): void {
  const door = endpoint.doors.includes('event') ? 'event' : 'adapter'
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // Whatever the caller says of its body, or leaves out: it is for the door first.
  scope.addHook('onRequest', async ({ headers }) => {
    headers['content-type'] = 'application/octet-stream'
  })
  scope.addHook('preValidation', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    request.principal = await scope.admit(request, reply, async () => {
      const verify = scope.doors[door]
      if (verify) return verify(request, body)
      throw new ServiceError('unauthenticated', 'This installation takes no calls of this kind.')
    })
    request.body = await parsed(scope, request, body)
    refuseOddText(request.body)
  })
}

async function parsed(scope: FastifyInstance, request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined
  const parse = scope.getDefaultJsonParser('error', 'error')
  return new Promise((resolve, reject) => {
    parse(request, textOf(body), (error, value) => (error ? reject(error) : resolve(value)))
  })
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ServiceError('validation_error', 'The body is not UTF-8. Send well-formed JSON in UTF-8.')
  }
}
