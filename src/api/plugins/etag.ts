import type { FastifyInstance, FastifyReply } from 'fastify'
import { sha256 } from '../../signing.ts'

/**
 * Tags what is read, and answers 304 without it to those who have it already. A tag that a route has set stays. Changes are
 * not tagged: they have an effect, whoever knows their answer.
 */
export function tagAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    if ((method !== 'GET' && method !== 'HEAD') || reply.statusCode !== 200) return payload
    const tag = tagOf(reply, payload)
    if (tag === undefined) return payload
    reply.header('etag', tag)
    if (!names(headers['if-none-match'], tag)) return payload
    reply.code(304).removeHeader('content-type')
    return ''
  })
}

/** Undefined for a stream: nobody knows it before it has ended. */
function tagOf(reply: FastifyReply, payload: unknown): string | undefined {
  const set = reply.getHeader('etag')
  if (typeof set === 'string') return set
  return typeof payload === 'string' ? `"${sha256(payload).toString('base64url')}"` : undefined
}

/** Whether the client has this version, perhaps weakly tagged by a proxy that compressed it (RFC 9110, 13.1.2). */
function names(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.includes(tag) || tags.includes('*')
}
