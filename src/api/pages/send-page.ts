import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { pagePolicy } from './page.ts'

/**
 * Answers with a page that allows only its own style, and what `policy` says, and is never kept by a browser or proxy. A client that shows the
 * page as it is gets 304.
 */
export function showPage(reply: FastifyReply, markup: string, policy = pagePolicy): FastifyReply {
  const tag = `"${createHash('sha256').update(markup).digest('base64url').slice(0, 22)}"`
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store', etag: tag })
  const { method, headers } = reply.request
  if (method === 'GET' && reply.statusCode === 200 && headers['if-none-match'] === tag)
    return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').serializer(String).send(markup)
}
