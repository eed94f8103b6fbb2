import type { FastifyReply } from 'fastify'
import { pagePolicy } from './page.ts'

/** Answers with a page that allows only its own style, and what `policy` says, and is never kept by a browser or proxy. */
export function showPage(reply: FastifyReply, markup: string, policy = pagePolicy): FastifyReply {
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
  return reply.type('text/html; charset=utf-8').serializer(String).send(markup)
}
