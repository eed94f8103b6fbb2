import { z } from 'zod'
import { Id, Instant } from '../common.ts'
import { locales, roles } from '../enums.ts'

/**
 * A place on this host: a path that begins with one slash. No second slash, backslash or control character, which
 * browsers read as another host.
 */
export const ReturnTo = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u, 'must be a path on this host, such as /messages')

/** `returnTo`: where the browser goes once the person is signed in. */
export const LoginQuery = z.object({ returnTo: ReturnTo.default('/') })

/** What an identity provider sends a browser back with (RFC 6749, 4.1.2); all of it goes to the check as it came. */
export const CallbackQuery = z.looseObject({ state: z.string().min(1).max(500) })

/** The person who is signed in, with their units and roles. */
export const Session = z
  .object({
    person: z.object({ id: Id, name: z.string(), email: z.string().optional() }),
    units: z
      .array(z.object({ id: Id, name: z.string(), roles: z.array(z.enum(roles)) }))
      .meta({ description: 'Those the person works in, by name.' }),
    systemAdmin: z.boolean(),
    language: z.enum(locales),
    expiresAt: Instant.meta({ description: 'When it ends though it is used; unused it ends before.' }),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** Nobody is signed in any more. */
export const SignedOut = z.object({ signedIn: z.literal(false) })
