import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * What an identity provider must not do, and what Carillon must not believe; for tests. All false or empty: it is
 * honest.
 */
export type Tampering = {
  /** Claims of the ID token that are put over the true ones. */
  claims: Record<string, unknown>
  /** How the ID token is signed: truly, with a key that is not published, or not at all. */
  signature: 'true' | 'forged' | 'none'
  /** Whether it says that the e-mail address was verified. */
  verified: boolean
  /** Paths that are out of order: the status they answer, or silence. */
  broken: Record<string, number | 'silent'>
}

/** An honest provider. */
export function noTampering(): Tampering {
  return { claims: {}, signature: 'true', verified: true, broken: {} }
}

/** Has the ID token of a token response say and carry what it should not; to be called before the provider answers. */
export function tamperWithResponse(
  lies: Tampering,
  signing: JsonWebKey,
  { url }: IncomingMessage,
  res: ServerResponse,
): void {
  if (url !== '/token') return
  if (lies.signature === 'true' && Object.keys(lies.claims).length === 0) return
  const end = res.end.bind(res) as (body: string) => ServerResponse
  res.end = ((body: string | Buffer) => {
    const answer = JSON.parse(String(body))
    const told = JSON.stringify({ ...answer, id_token: retold(answer.id_token, lies, signing) })
    res.setHeader('content-length', Buffer.byteLength(told))
    return end(told)
  }) as typeof res.end
}

function retold(idToken: string, { claims, signature }: Tampering, signing: JsonWebKey): string {
  const parts = idToken.split('.').slice(0, 2)
  const [header, payload] = parts.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const alg = signature === 'none' ? 'none' : header.alg
  const unsigned = `${encoded({ ...header, alg })}.${encoded({ ...payload, ...claims })}`
  if (signature === 'none') return `${unsigned}.`
  const key = signature === 'forged' ? strangeKey() : createPrivateKey({ key: signing, format: 'jwk' })
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), key).toString('base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function strangeKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
}
