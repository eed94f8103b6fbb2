import { z } from 'zod'
import { Id, Instant } from '../common.ts'
import { locales, roles } from '../enums.ts'

/**
 * A path on this host: begins with a single slash. Browsers may read a second slash, a backslash or control characters
 * as another host.
 */
export const ReturnTo = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u, 'must be a path on this host, such as /messages')

/** `returnTo`: where to redirect the browser after signing in. */
export const LoginQuery = z.object({ returnTo: ReturnTo.default('/') })

/** The authorization response (RFC 6749, 4.1.2), passed unchanged to its verification. */
export const CallbackQuery = z.looseObject({ state: z.string().min(1).max(500) })

/** The person who is signed in, with their units and roles. */
export const Session = z
  .object({
    person: z.object({ id: Id, name: z.string(), email: z.string().optional() }),
    units: z
      .array(z.object({ id: Id, name: z.string(), roles: z.array(z.enum(roles)) }))
      .meta({ description: 'The units of the person, by name.' }),
    systemAdmin: z.boolean(),
    language: z.enum(locales),
    expiresAt: Instant.meta({
      description: 'When the session ends at the latest. An idle session ends earlier.',
    }),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** The session has ended. */
export const SignedOut = z.object({ signedIn: z.literal(false) })
