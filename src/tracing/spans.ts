import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Traces (docs/design/observing.md). A process records spans once `startTracing` found where to send them;
 * until then every function here does nothing, and the SDK of OpenTelemetry is not loaded.
 */

/** Ids, counts and closed lists of words only: spans leave the installation, and hold no personal data. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>

/** Of a span: whether it serves or makes a request, or starts work elsewhere. */
type SpanKind = 'server' | 'client' | 'producer' | 'internal'

/** Something that takes time, under way. */
export type Span = {
  /** Names this span in rows and headers, in the form of W3C Trace Context: `00-<trace>-<span>-<flags>`. */
  readonly traceparent: string
  set(attributes: SpanAttributes): void
  /** Refers to a span of another trace. */
  link(traceparent: string): void
  /** Marks the span as failed. `type`: a code or a status, never the text of an error. */
  fail(type: string): void
  end(): void
}

/** `parent`: the span that this one belongs to; undefined: it begins a trace. */
export type SpanOptions = {
  kind?: SpanKind
  parent?: string | null | undefined
  attributes?: SpanAttributes
}

/** What records spans. */
export type Tracer = {
  start(name: string, options: SpanOptions): Span
  /** Exports what is recorded, and ends. */
  shutdown(): Promise<void>
}

let tracer: Tracer | undefined
const active = new AsyncLocalStorage<Span>()

/** Records the spans of this process from now on. */
export function recordSpans(by: Tracer): void {
  tracer = by
}

/** Exports what is recorded and records nothing more. */
export async function stopTracing(): Promise<void> {
  const ending = tracer
  tracer = undefined
  await ending?.shutdown()
}

/** Whether spans are recorded. For work that only traces need. */
export function isTracing(): boolean {
  return tracer !== undefined
}

/** The span that surrounds this code, as it stands in a row or header; null outside of any. */
export function currentTraceparent(): string | null {
  return active.getStore()?.traceparent ?? null
}

/** Starts a span that the caller ends; undefined while nothing is recorded. */
export function startSpan(name: string, options: SpanOptions): Span | undefined {
  return tracer?.start(name, options)
}

/** Runs work within a span that was started. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return span === undefined ? work() : active.run(span, work)
}

/**
 * Runs work in a span of its own, within the one that surrounds it unless `parent` names another. A failure of the work
 * fails the span.
 */
export async function inSpan<T>(
  name: string,
  { parent = currentTraceparent(), ...options }: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, { parent, ...options })
  if (span === undefined) return work(undefined)
  try {
    return await active.run(span, () => work(span))
  } catch (error) {
    span.fail(errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** The error's own code or type; its message may hold anything. */
function errorType(error: unknown): string {
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown }
  const word = [type, code].find((one) => typeof one === 'string' && /^\w{1,40}$/.test(one))
  return typeof word === 'string' ? word : 'internal'
}

/**
 * What a row that has changed stands in: the trace of this change, which then refers to the one before; or the span that
 * it has, if that is of the same trace, or nothing is recorded.
 */
export function joinTrace(stored: string | null): string | null {
  const span = active.getStore()
  if (span === undefined) return stored
  if (stored === null) return span.traceparent
  if (traceOf(stored) === traceOf(span.traceparent)) return stored
  span.link(stored)
  return span.traceparent
}

function traceOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}
