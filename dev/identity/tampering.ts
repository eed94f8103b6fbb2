import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Misbehaviour of the identity provider that Carillon must detect; for tests. `noTampering` is the honest provider.
 */
export type Tampering = {
  /** Claims that override those of the ID token. */
  claims: Record<string, unknown>
  /** How the ID token is signed: with the published key, with an unpublished one, or not at all. */
  signature: 'true' | 'forged' | 'none'
  /** The claim `email_verified`. */
  verified: boolean
  /** Broken paths: the status they answer, or no answer. */
  broken: Record<string, number | 'silent'>
}

/** An honest provider. */
export function noTampering(): Tampering {
  return { claims: {}, signature: 'true', verified: true, broken: {} }
}

/** Replaces the ID token of a token response as configured; call it before the provider answers. */
export function tamperWithResponse(
  tampering: Tampering,
  signing: JsonWebKey,
  { url }: IncomingMessage,
  res: ServerResponse,
): void {
  if (url !== '/token') return
  if (tampering.signature === 'true' && Object.keys(tampering.claims).length === 0) return
  const end = res.end.bind(res) as (body: string) => ServerResponse
  res.end = ((body: string | Buffer) => {
    const answer = JSON.parse(String(body))
    const changed = JSON.stringify({ ...answer, id_token: changedToken(answer.id_token, tampering, signing) })
    res.setHeader('content-length', Buffer.byteLength(changed))
    return end(changed)
  }) as typeof res.end
}

function changedToken(idToken: string, { claims, signature }: Tampering, signing: JsonWebKey): string {
  const parts = idToken.split('.').slice(0, 2)
  const [header, payload] = parts.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const alg = signature === 'none' ? 'none' : header.alg
  const unsigned = `${encoded({ ...header, alg })}.${encoded({ ...payload, ...claims })}`
  if (signature === 'none') return `${unsigned}.`
  const key = signature === 'forged' ? unpublishedKey() : createPrivateKey({ key: signing, format: 'jwk' })
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), key).toString('base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function unpublishedKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
}
