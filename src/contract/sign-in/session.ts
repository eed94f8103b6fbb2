import { z } from 'zod'
import { EditPerson } from '../admin/person.ts'
import { Id, Instant, isChange, Locale, mustChange, UnitRole } from '../common.ts'
import { authorNotices } from '../enums.ts'

/**
 * A path on this host: begins with a single slash. Browsers may read a second slash, a backslash or control characters
 * as another host.
 */
export const ReturnTo = z
  .string()
  .max(2_000)
  .refine((path) => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path), 'must be a path on this host, such as /messages')
  .meta({
    description:
      'The path on this host to return to after signing in: it begins with a single slash, and has no backslash or ' +
      'control character. Default: /.',
    pattern: '^/([^/\\\\\\x00-\\x1f\\x7f-\\x9f][^\\\\\\x00-\\x1f\\x7f-\\x9f]*)?$',
  })

/** `returnTo`: where to redirect the browser after signing in. */
export const LoginQuery = z.object({ returnTo: ReturnTo.default('/') })

/** The authorization response (RFC 6749, 4.1.2), passed unchanged to its verification. */
export const CallbackQuery = z.looseObject({
  state: z
    .string()
    .min(1)
    .max(500)
    .describe(
      'Names the attempt to sign in. The identity provider returns it, with further parameters such as code.',
    ),
})

export const Session = z
  .object({
    person: z
      .object({
        id: Id.describe('The id of the person.'),
        name: z.string().describe('Their name.'),
        email: z.string().optional().describe('Their e-mail address.'),
      })
      .describe('Who is signed in.'),
    units: z
      .array(
        z.object({
          id: Id.describe('The id of the unit, for `unitId`.'),
          name: z.string().describe('Its name.'),
          roles: z.array(UnitRole).describe('What the person may do in it.'),
        }),
      )
      .describe('The units of the person, by name.'),
    systemAdmin: z.boolean().describe('Whether the person is a system administrator.'),
    language: Locale.describe('The language of the console, of pages and of mails for them.'),
    notices: z.boolean().describe('Whether they receive approval requests by mail.'),
    authorNotices: z
      .array(z.enum(authorNotices))
      .describe('Mails about messages that they wrote, edited or submitted.'),
    handoffNotices: z.boolean().describe('Whether they receive mails about handoffs opened in their units.'),
    expiresAt: Instant.describe('When the session ends at the latest, in UTC. An idle session ends earlier.'),
  })
  .meta({ id: 'Session', description: 'The person who is signed in, with their units and roles.' })
export type Session = z.infer<typeof Session>

/** What a person may change about themselves. */
export const EditSession = z
  .strictObject({
    language: EditPerson.shape.language,
    notices: EditPerson.shape.notices,
    authorNotices: EditPerson.shape.authorNotices,
    handoffNotices: EditPerson.shape.handoffNotices,
  })
  .refine(isChange, mustChange)
  .meta({
    id: 'EditSession',
    minProperties: 1,
    description:
      'Changes to the mails that Carillon sends you, and their language, at least one. Omitted fields are unchanged.',
  })
export type EditSession = z.infer<typeof EditSession>

export const SignedOut = z
  .object({ signedIn: z.literal(false).describe('Always false.') })
  .meta({ id: 'SignedOut', description: 'The session has ended.' })

/** The details of a sign-in by an account that belongs to no person. */
export const NoPerson = z
  .looseObject({
    reason: z
      .enum(['unverified', 'unknown', 'other_account'])
      .describe(
        '`unverified`: the account has no verified e-mail address. `unknown`: no person has it. `other_account`: ' +
          'another account has signed in with it before.',
      ),
  })
  .meta({ description: 'Why the account belongs to no person.', examples: [{ reason: 'unknown' }] })
  .optional()

/** The details of a sign-in that could not be verified. */
export const UnverifiedSignIn = z
  .looseObject({
    reason: z.string().describe('The code of the check that failed, of OAuth or OpenID Connect.'),
  })
  .meta({
    description: 'Which check failed. Omitted if the attempt has expired, or the person did not sign in.',
    examples: [{ reason: 'OAUTH_INVALID_RESPONSE' }],
  })
  .optional()
