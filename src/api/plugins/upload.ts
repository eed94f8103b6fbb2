import type { FastifyInstance } from 'fastify'

/** Leaves a body of any type to the handler, which reads it from `request.raw` as it comes in and minds its length. */
export function acceptUpload(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}
