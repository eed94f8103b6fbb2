import { request } from 'undici'
import { limits } from '../../contract/limits.ts'
import { type Broken, broken } from '../../contract/rules.ts'
import { type AllowedTarget, isAllowedTarget } from '../../domain/lib/allowed-target.ts'
import { inSpan, type Span } from '../../tracing/spans.ts'
import { bareHost, isPrivateLiteral } from './address.ts'
import { type AskResult, ask, type NoResponse, type Question } from './ask.ts'
import { AddressRefusedError, guardedAgent, guardedConnector } from './guarded-agent.ts'
import type { Resolve } from './resolve-host.ts'

/** The result of a call to a user's address. `status` null: no response, for the reason in `code`. */
export type PostResponse = { status: number; code: null } | { status: null; code: NoResponse }

/**
 * Calls the addresses that users configure, if they are public or allowed
 * (docs/design/callbacks-and-lookups.md).
 */
export type Outbound = {
  /** Why an address cannot be used, as the rule that it breaks; null if it can. Makes no DNS query. */
  faultOf(url: string): Broken | null
  /** Makes one POST request. Never throws, follows no redirects and does not read the response body. */
  post(
    url: string,
    call: { headers: Record<string, string>; body: string; timeoutMs: number },
  ): Promise<PostResponse>
  /** Makes one request and reads the answer, within the limits of a Lookup. Never throws; follows no redirects. */
  ask(url: string, question: Question): Promise<AskResult>
  close(): Promise<void>
}

/** `allow`: what may be called without TLS and at any address. */
export function openOutbound(options: { allow: readonly AllowedTarget[]; resolve?: Resolve }): Outbound {
  const { allow, resolve } = options
  const agent = guardedAgent(allow, resolve)
  const connector = guardedConnector(allow, { resolve, timeout: limits.lookupConnectMs, allowH2: false })
  const faultOf = (text: string): Broken | null => {
    const { protocol, hostname, port, username, password } = new URL(text)
    if (username || password) return broken('has_credentials', { of: 'address' })
    const host = bareHost(hostname)
    if (isAllowedTarget(allow, { protocol, host, port })) return null
    if (protocol !== 'https:') return broken('not_https', { of: 'address' })
    return isPrivateLiteral(host) ? broken('not_public', { of: 'address' }) : null
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
    async ask(url, question) {
      if (faultOf(url) !== null) return { code: 'address_refused', status: null }
      return ask(connector, new URL(url), question)
    },
    close: () => agent.destroy(),
  }
}

/**
 * Calls that record a span each, and name it to the far end in the header `traceparent`, so that a producer's trace goes on
 * where ours leads (docs/design/callbacks-and-lookups.md). While nothing is recorded they carry no header.
 */
export function withTracing(outbound: Outbound): Outbound {
  return {
    ...outbound,
    post: (url, call) =>
      inSpan('callback POST', { kind: 'client' }, async (span) =>
        noted(span, await outbound.post(url, { ...call, headers: withTrace(call.headers, span) })),
      ),
    ask: (url, question) =>
      inSpan(`lookup ${question.method}`, { kind: 'client' }, async (span) =>
        noted(span, await outbound.ask(url, { ...question, headers: withTrace(question.headers, span) })),
      ),
  }
}

function withTrace(headers: Record<string, string>, span: Span | undefined): Record<string, string> {
  return span === undefined ? headers : { ...headers, traceparent: span.traceparent }
}

/** The status or why there is none; never the address, which may hold a person's id or a secret of the producer. */
function noted<Result extends { status: number | null; code: string | null }>(
  span: Span | undefined,
  result: Result,
): Result {
  const { status, code } = result
  if (status !== null) span?.set({ 'http.response.status_code': status })
  if (code !== null) span?.fail(code)
  else if (status !== null && (status < 200 || status > 299)) span?.fail(String(status))
  return result
}
