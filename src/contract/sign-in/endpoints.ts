import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { exampleUnitId } from '../example-ids.ts'
import {
  CallbackQuery,
  EditSession,
  LoginQuery,
  NoPerson,
  Session,
  SignedOut,
  UnverifiedSignIn,
} from './session.ts'

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
