import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { exampleUnitId } from '../example-ids.ts'
import { CallbackQuery, LoginQuery, Session, SignedOut } from './session.ts'

const redirect = (description: string, example = '') =>
  ({ description, schema: z.literal(''), example, contentType: 'text/plain' }) as const
const signIn = { tag: 'Sign-in', unit: 'none' } as const

/** How people of the console sign in and out: OpenID Connect with PKCE at the installation's identity provider. */
export const signInEndpoints = {
  beginSignIn: {
    ...signIn,
    method: 'GET',
    path: '/v1/auth/login',
    summary: 'Sign in',
    description:
      'Open it in a browser: it leads to the identity provider and from there back to `returnTo`, a path on this host. ' +
      'Browsers are shown errors as a page.',
    doors: [],
    query: LoginQuery,
    answers: { 302: redirect('To the identity provider.') },
    errors: ['provider', 'retryable', 'not_configured'],
  },
  finishSignIn: {
    ...signIn,
    method: 'GET',
    path: '/v1/auth/callback',
    summary: 'Back from the identity provider',
    description:
      'The provider sends the browser here. Every check must hold: state, nonce, PKCE, signature, issuer, audience, ' +
      'times, and that it began in this browser, at most ten minutes ago, and comes back for the first time. Opens a new ' +
      'session and ends the one the browser had.',
    doors: [],
    query: CallbackQuery,
    answers: { 302: redirect('Signed in: on to where they wanted to go, with the cookie hub_session.') },
    errors: ['invalid_credential', 'forbidden', 'provider', 'retryable', 'not_configured'],
  },
  signOut: {
    ...signIn,
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'Sign out',
    description:
      'Ends the session here, at once, and takes the cookie away. Forms are led to the start page.',
    doors: ['session'],
    answers: {
      200: { description: 'Signed out.', schema: SignedOut, example: { signedIn: false } },
      303: redirect('The same, for a form in a page.'),
    },
    errors: [],
  },
  getSession: {
    ...signIn,
    method: 'GET',
    path: '/v1/auth/session',
    summary: 'Who is signed in',
    description: 'The person behind the session, the units they work in and their roles there.',
    doors: ['session'],
    answers: {
      200: {
        description: 'The session.',
        schema: Session,
        example: {
          person: {
            id: '01939a2e-0000-7000-8000-000000000002',
            name: 'Lin Mei',
            email: 'mei@example.edu',
          },
          units: [{ id: exampleUnitId, name: 'Academic Affairs', roles: ['approver'] }],
          systemAdmin: false,
          language: 'zh-TW',
          expiresAt: '2026-12-01T13:00:00.000Z',
        },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
