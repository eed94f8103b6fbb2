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
    const clientTags = tagsIn(headers['if-none-match'])
    if (!clientTags.includes(tag) && !clientTags.includes('*')) return payload
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

/** The versions that a client has, perhaps weakly tagged by a proxy that compressed them (RFC 9110, 13.1.2). */
export function tagsIn(ifNoneMatch: string | undefined): string[] {
  return (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
}

/** The number in an If-Match header: `3`, `"3"` or `W/"3"`. */
export function versionIn(ifMatch: string | undefined): number | undefined {
  return ifMatch === undefined ? undefined : Number(ifMatch.replaceAll(/\D/g, ''))
}
