import { z } from 'zod'
import { EditPerson } from '../admin/person.ts'
import { orBroken } from '../broken-rule.ts'
import { Id, Instant, isChange, Locale, mustChange, UnitRole } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { authorNotices } from '../enums.ts'
import { exampleUnitId } from '../example-ids.ts'

/**
 * A path on this host: begins with a single slash. Browsers may read a second slash, a backslash or control characters
 * as another host.
 */
export const ReturnTo = z
  .string()
  .max(2_000)
  .refine((path) => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path), orBroken('wrong_format', { format: 'path' }))
  .meta({
    description:
      'The path on this host to return to after signing in: it begins with a single slash, and has no backslash or ' +
      'control character. Default: /.',
    pattern: '^/([^/\\\\\\x00-\\x1f\\x7f-\\x9f][^\\\\\\x00-\\x1f\\x7f-\\x9f]*)?$',
  })

/** `returnTo`: where to redirect the browser after signing in. */
const LoginQuery = z.object({ returnTo: ReturnTo.default('/') })

/** The authorization response (RFC 6749, 4.1.2), passed unchanged to its verification. */
const CallbackQuery = z.looseObject({
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

const SignedOut = z
  .object({ signedIn: z.literal(false).describe('Always false.') })
  .meta({ id: 'SignedOut', description: 'The session has ended.' })

/** The details of a sign-in by an account that belongs to no person. */
const NoPerson = z
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
const UnverifiedSignIn = z
  .looseObject({
    reason: z.string().describe('The code of the check that failed, of OAuth or OpenID Connect.'),
  })
  .meta({
    description: 'Which check failed. Omitted if the attempt has expired, or the person did not sign in.',
    examples: [{ reason: 'OAUTH_INVALID_RESPONSE' }],
  })
  .optional()

const noContent = z.literal('').describe('Empty.')
const redirect = (description: string, example = '') =>
  ({ description, schema: noContent, example, contentType: 'text/plain' }) as const
const signIn = { tag: 'Sign-in', unit: 'none' } as const

const exampleSession: Session = {
  person: {
    id: '01939a2e-0000-7000-8000-000000000002',
    name: 'Lin Mei',
    email: 'mei@example.edu',
  },
  units: [{ id: exampleUnitId, name: 'Academic Affairs', roles: ['approver'] }],
  systemAdmin: false,
  language: 'zh-TW',
  notices: true,
  authorNotices: ['rejected', 'parked'],
  handoffNotices: true,
  expiresAt: '2026-12-01T13:00:00.000Z',
}

/** Signing in to and out of the console: OpenID Connect with PKCE at the installation's identity provider. */
export const signInEndpoints = {
  beginSignIn: {
    ...signIn,
    method: 'GET',
    path: '/v1/auth/login',
    summary: 'Sign in',
    description:
      'Open in a browser. Redirects to the identity provider and from there back to `returnTo`, a path on this host. ' +
      'Browsers get errors as a page.',
    auth: [],
    query: LoginQuery,
    answers: { 302: redirect('Redirects to the identity provider.') },
    errors: ['provider', 'retryable', 'not_configured'],
  },
  finishSignIn: {
    ...signIn,
    method: 'GET',
    path: '/v1/auth/callback',
    summary: 'Complete a sign-in',
    description:
      'The identity provider redirects the browser here. Verifies state, nonce, PKCE, signature, issuer, audience and ' +
      'times, and that the attempt was started in this browser at most ten minutes ago and is completed only once. ' +
      'Opens a new session and ends the previous one of the browser.',
    auth: [],
    query: CallbackQuery,
    answers: { 302: redirect('Signed in: redirects to returnTo and sets the cookie hub_session.') },
    errors: ['invalid_credential', 'forbidden', 'provider', 'retryable', 'not_configured'],
    details: { invalid_credential: UnverifiedSignIn, forbidden: NoPerson },
  },
  signOut: {
    ...signIn,
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'Sign out',
    description:
      'Ends the session immediately and clears the cookie. A form in a page is redirected to the start page.',
    auth: ['session'],
    answers: {
      200: { description: 'Signed out.', schema: SignedOut, example: { signedIn: false } },
      303: redirect('Signed out, for a form in a page.'),
    },
    errors: [],
  },
  getSession: {
    ...signIn,
    method: 'GET',
    path: '/v1/auth/session',
    summary: 'Get the current session',
    description: 'Returns the person, their units and their roles in each.',
    auth: ['session'],
    answers: { 200: { description: 'The session.', schema: Session, example: exampleSession } },
    errors: [],
  },
  editSession: {
    ...signIn,
    method: 'PATCH',
    path: '/v1/auth/session',
    summary: 'Change which mails you receive',
    description: 'Turns kinds of mail to the signed-in person on or off. Returns the session.',
    auth: ['session'],
    body: EditSession,
    bodyExample: { authorNotices: ['rejected', 'parked'] },
    answers: { 200: { description: 'The session.', schema: Session, example: exampleSession } },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
