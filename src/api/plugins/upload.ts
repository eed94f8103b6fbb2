import type { FastifyInstance } from 'fastify'

/** Leaves a body of any type to the handler, which streams it from `request.raw` and limits its length. */
export function acceptUpload(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}
