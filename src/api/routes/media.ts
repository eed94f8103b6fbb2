import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { errorStatus } from '../../contract/errors.ts'
import type { Services } from '../../services/context.ts'
import { mediaPath } from '../../services/media/media.ts'
import { isFileName, mediaServer } from '../../services/media/serve.ts'
import { tagsIn } from '../plugins/etag.ts'

/** How long whoever has read a picture may keep it: its address never shows another one. */
const cacheControl = 'public, max-age=31536000, immutable'

/**
 * The files of pictures. They are not in the table of operations: chat and mail programs load them, without credentials, by
 * an address that nobody can guess. Nothing but a picture is ever served here.
 */
export function mediaRoutes(app: FastifyInstance, services: Services): void {
  const media = mediaServer(services)

  app.get(`${mediaPath}*`, async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    reply.headers({ 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' })
    const etag = `"${name}"`
    const isCached = isFileName(name) && tagsIn(request.headers['if-none-match']).includes(etag)
    if (isCached) return reply.code(304).headers({ 'cache-control': cacheControl, etag }).send()
    const file = await media.open(name)
    if (!file) return reply.code(errorStatus.not_found).type('text/plain; charset=utf-8').send('')
    const { type, bytes, body } = file
    reply.headers({
      'cache-control': cacheControl,
      'cross-origin-resource-policy': 'cross-origin',
      'content-length': bytes,
      etag,
    })
    return reply.type(type).send(Buffer.isBuffer(body) ? body : Readable.from(body, { objectMode: false }))
  })
}
