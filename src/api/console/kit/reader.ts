import type { FastifyRequest } from 'fastify'
import type { Locale } from '../../../contract/enums.ts'

/** Whether the client is a browser, which shows pages, and not a program. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/**
 * The language of an unknown visitor: the first supported one in the browser's Accept-Language.
 */
export function localeOf({ headers }: FastifyRequest): Locale {
  const wanted = /\b(zh|en)\b/i.exec(headers['accept-language'] ?? '')?.[1]
  return wanted?.toLowerCase() === 'en' ? 'en' : 'zh-TW'
}
