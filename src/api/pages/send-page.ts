import type { FastifyReply } from 'fastify'
import { pagePolicy } from './page.ts'

/** Answers with a page that allows only its own style and is never cached. */
export function showPage(reply: FastifyReply, markup: string): FastifyReply {
  reply.headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-store' })
  return reply.type('text/html; charset=utf-8').serializer(String).send(markup)
}
