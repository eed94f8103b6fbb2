import { inSpan, type Span } from '../../tracing/spans.ts'
import type { Outbound } from './outbound.ts'

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
