import { Webhook } from 'standardwebhooks'
import type { Outbound, PostResponse } from '../outbound/outbound.ts'
import type { SecretBox } from '../secret-box.ts'
import { secretContext } from './secret.ts'

/** Timeout of a try, response included (ms). */
const tryTimeoutMs = 10_000

type CallbackSecrets = { unitId: string; secret: Buffer; oldSecret: Buffer | null }
type CallbackRequest = { id: string; url: string; body: string }

/** The result of a try. `code` is null if the callback accepted it (2xx). */
export type TryResult = { status: number | null; code: string | null }

/**
 * Sends one request, signed as in Standard Webhooks; while the old secret is valid, with a signature of each. If the
 * secret cannot be decrypted (SECRETS_KEY was changed), nothing is sent; an old secret that cannot be is left out.
 */
export async function postCallback(
  { outbound, secrets }: { outbound: Outbound; secrets: SecretBox },
  { id, url, body }: CallbackRequest,
  { unitId, secret, oldSecret }: CallbackSecrets,
): Promise<TryResult> {
  const now = new Date()
  const [signer, oldSigner] = [secret, oldSecret].map((sealed) => signerOf(secrets, sealed, unitId))
  if (!signer) return { status: null, code: 'secret_unreadable' }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Carillon',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': [signer, ...(oldSigner ? [oldSigner] : [])]
      .map((one) => one.sign(id, now, body))
      .join(' '),
  }
  return tryResultOf(await outbound.post(url, { headers, body, timeoutMs: tryTimeoutMs }))
}

function signerOf(secrets: SecretBox, sealed: Buffer | null, unitId: string): Webhook | null {
  if (sealed === null) return null
  try {
    return new Webhook(secrets.open(sealed, secretContext(unitId)))
  } catch {
    return null
  }
}

function tryResultOf({ status, code }: PostResponse): TryResult {
  if (status === null) return { status, code }
  if (status >= 200 && status < 300) return { status, code: null }
  if (status >= 300 && status < 400) return { status, code: 'redirect' }
  return { status, code: status === 410 ? 'gone' : 'http_error' }
}
