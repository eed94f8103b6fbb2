import type { FastifyInstance } from 'fastify'
import { errorStatus } from '../../contract/errors.ts'
import type { Services } from '../../services/context.ts'
import { mediaPath, readMedia } from '../../services/media/media.ts'

/** How long whoever has read a picture may keep it: its address never shows another one. */
const cacheControl = 'public, max-age=31536000, immutable'

/**
 * The files of pictures. They are not in the table of operations: chat and mail programs load them, without credentials, by
 * an address that nobody can guess. Nothing but a picture is ever served here.
 */
export function mediaRoutes(app: FastifyInstance, services: Services): void {
  app.get(`${mediaPath}*`, async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    reply.headers({ 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' })
    const found = await readMedia(services, name)
    if (!found) return reply.code(errorStatus.not_found).type('text/plain; charset=utf-8').send('')
    reply.headers({
      'cache-control': cacheControl,
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${name}"`,
    })
    return reply.type(found.type).send(found.bytes)
  })
}
