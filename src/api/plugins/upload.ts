import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endpoints } from '../../contract/endpoints.ts'
import { limits } from '../../contract/limits.ts'

/** Leaves a body of any type to the handler, which streams it from `request.raw` and limits its length. */
export function acceptUpload(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Leaves lines to the handler as a stream; other bodies are parsed as everywhere. */
export function acceptLines(scope: FastifyInstance): void {
  for (const type of ['application/x-ndjson', 'application/ndjson'])
    scope.addContentTypeParser(type, { bodyLimit: limits.uploadBytes }, (_request, payload, done) =>
      done(null, payload),
    )
}

/** Whether the handler streams the body instead of finding it parsed. */
export function isStreamed({ routeOptions, body }: FastifyRequest): boolean {
  const { operation } = routeOptions.config ?? {}
  return body instanceof Readable || (operation !== undefined && 'upload' in endpoints[operation])
}
