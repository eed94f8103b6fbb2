import type { FastifyReply } from 'fastify'
import type { Reply } from './responses.ts'

/** Closes the connection instead of answering: before the first byte, or after half of the body. */
export function cutConnection(
  reply: FastifyReply,
  where: 'before-reply' | 'mid-reply',
  answer: Reply,
): FastifyReply {
  reply.hijack()
  const { raw } = reply
  if (where === 'before-reply') {
    raw.destroy()
    return reply
  }
  const body = JSON.stringify(answer.body)
  raw.writeHead(answer.status, {
    ...answer.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body) + 1, // never reached, however short the body
  })
  raw.write(body.slice(0, Math.ceil(body.length / 2)), () => raw.destroy())
  return reply
}
