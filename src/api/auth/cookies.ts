import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../contract/enums.ts'
import { attemptMinutes } from '../../services/identity/sign-in.ts'
import { isSecret } from '../../signing.ts'

/** The name is the interface's, so that it has no prefix by which browsers would know its attributes. */
const sessionCookie = 'hub_session'
/** The unit whose lists somebody has chosen to see. */
export const unitCookie = 'hub_unit'
/** The language of the pages in this browser, where it is not that of the person's mails. */
export const languageCookie = 'hub_language'
const yearSeconds = 365 * 24 * 3_600

/** The cookies of the console. Every one that is set or cleared gets its attributes here. */
type Cookies = {
  /** The secret of a browser that is signing in; undefined if the cookie is missing or malformed. */
  attempt(request: FastifyRequest): string | undefined
  /** Holds the secret of a browser during a sign-in, so that no other browser can finish it. */
  setAttempt(reply: FastifyReply, secret: string): void
  setSession(reply: FastifyReply, session: { token: string; expiresAt: Date }): void
  clearSession(reply: FastifyReply): void
  setUnit(reply: FastifyReply, unitId: string): void
  setLanguage(reply: FastifyReply, language: Locale): void
  clearLanguage(reply: FastifyReply): void
}

/**
 * Over https, browsers send them back over https only. They are for the whole of this host and none beside it: without a
 * Domain, and the one whose name is Carillon's own with the prefix `__Host-`, so that no other host of the domain can plant
 * it. Browsers refuse the prefix over http, as in development.
 */
export function cookiesFor(publicUrl: string): Cookies {
  const secure = /^https:/i.test(publicUrl)
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  const attemptCookie = secure ? '__Host-hub_sign_in' : 'hub_sign_in'
  return {
    attempt({ cookies }) {
      const secret = cookies[attemptCookie]
      return secret !== undefined && isSecret(secret) ? secret : undefined
    },
    setAttempt(reply, secret) {
      reply.setCookie(attemptCookie, secret, { ...attributes, maxAge: attemptMinutes * 60 })
    },
    setSession(reply, { token, expiresAt }) {
      reply.setCookie(sessionCookie, token, { ...attributes, expires: expiresAt })
    },
    clearSession(reply) {
      reply.clearCookie(sessionCookie, attributes)
    },
    setUnit(reply, unitId) {
      reply.setCookie(unitCookie, unitId, { ...attributes, maxAge: yearSeconds })
    },
    setLanguage(reply, language) {
      reply.setCookie(languageCookie, language, { ...attributes, maxAge: yearSeconds })
    },
    clearLanguage(reply) {
      reply.clearCookie(languageCookie, attributes)
    },
  }
}
