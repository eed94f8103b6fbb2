import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ServiceError } from '../../contract/errors.ts'
import { rejectUnstorableText } from '../plugins/unstorable-text.ts'

/**
 * Lets the bytes of a body through as they came, has the operation's door verify the signature over exactly these, and
 * only then reads them as JSON.
 */
export function verifyRawBody(scope: FastifyInstance, endpoint: Endpoint): void {
  const door = endpoint.doors.includes('event') ? 'event' : 'adapter'
  const read = door === 'event' ? readStrictly : readLeniently
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
    request.body = body.length === 0 ? undefined : await read(scope, request, body)
  })
}

/** A producer is told what is wrong with its body. */
async function readStrictly(scope: FastifyInstance, request: FastifyRequest, body: Buffer): Promise<unknown> {
  const value = await parsed(scope.getDefaultJsonParser('error', 'error'), request, textOf(body))
  rejectUnstorableText(value)
  return value
}

/**
 * A channel posts a list of what many people did, and posts it again where it was refused: odd text in one event must not
 * refuse the others. Whoever stores the events looks at each by itself.
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
