import type { FastifyRequest } from 'fastify'
import { isOneOf, type Locale, locales } from '../../../contract/enums.ts'
import type { Session } from '../../../contract/identity/sign-in.ts'
import { languageCookie } from '../../auth/cookies.ts'

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

/** The language in which somebody reads pages: the one chosen in this browser, or else that of their mails. */
export function pageLocale({ language }: Pick<Session, 'language'>, { cookies }: FastifyRequest): Locale {
  const chosen = cookies[languageCookie] ?? ''
  return isOneOf(locales, chosen) ? chosen : language
}
