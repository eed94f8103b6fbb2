import { request } from 'undici'
import { bareHost, isPrivateLiteral } from './address.ts'
import { AddressRefusedError, guardedAgent, type Resolve } from './guarded-agent.ts'

/** What a call to an address of a user's brought. `status` null: there was no answer, `code` says why. */
export type PostResponse = { status: number; code: null } | { status: null; code: NoResponse }
export type NoResponse = 'address_refused' | 'timeout' | 'no_connection'

/**
 * Calls addresses that users have configured, where they are public or allowed
 * (docs/decisions/0023-callbacks-and-retention.md).
 */
export type Outbound = {
  /** Why an address cannot be used, in words for whoever configures it; null where it can. Asks no name server. */
  faultOf(url: string): string | null
  /** One POST; never throws. Redirects are not followed, and what is answered is not read. */
  post(
    url: string,
    call: { headers: Record<string, string>; body: string; timeoutMs: number },
  ): Promise<PostResponse>
  close(): Promise<void>
}

/** `allow`: hosts, as they stand in a URL, that may be called without TLS and wherever they are. */
export function openOutbound({ allow, resolve }: { allow: readonly string[]; resolve?: Resolve }): Outbound {
  const allowed = new Set(allow.map(bareHost))
  const agent = guardedAgent(allowed, resolve)
  const faultOf = (text: string): string | null => {
    const { protocol, hostname, username, password } = new URL(text)
    if (username || password) return 'may not hold a user name or a password'
    const host = bareHost(hostname)
    if (allowed.has(host)) return null
    if (protocol !== 'https:') return 'must be an https address'
    return isPrivateLiteral(host) ? 'must have a public address' : null
  }

  return {
    faultOf,
    async post(url, { headers, body, timeoutMs }) {
      if (faultOf(url) !== null) return { status: null, code: 'address_refused' }
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent })
        answer.body.on('error', () => {}).destroy()
        return { status: answer.statusCode, code: null }
      } catch (error) {
        if (error instanceof AddressRefusedError) return { status: null, code: 'address_refused' }
        return { status: null, code: signal.aborted ? 'timeout' : 'no_connection' }
      }
    },
    close: () => agent.destroy(),
  }
}
