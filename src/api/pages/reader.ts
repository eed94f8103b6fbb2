import type { FastifyRequest } from 'fastify'
import type { Locale } from '../../contract/enums.ts'

/** Whether a person looks at the answer, in a browser that shows pages, and no program. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/**
 * The language of somebody whom we do not know yet, by what their browser prefers: the first of the two that it
 * names.
 */
export function localeOf({ headers }: FastifyRequest): Locale {
  const wanted = /\b(zh|en)\b/i.exec(headers['accept-language'] ?? '')?.[1]
  return wanted?.toLowerCase() === 'en' ? 'en' : 'zh-TW'
}
