import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { version } from '../version.ts'
import type { Span, SpanOptions, Tracer } from './spans.ts'

/** Where to send spans, as OTLP over HTTP; how many of the traces that begin here, from 0 to 1. */
type TracerOptions = {
  url: string
  headers: Record<string, string>
  ratio: number
  processName: string
  log: Logger
}

/** How long a span waits for others to be exported with (ms). */
const exportEveryMs = 1_000
/** How long an export is tried (ms); a process that ends waits as long for its last one. */
const timeoutMillis = 2_000

/**
 * Records spans with OpenTelemetry and exports them in the background. A trace that a caller has begun is recorded if the
 * caller records it. What cannot be exported is dropped.
 */
export function openTracer({ url, headers, ratio, processName, log }: TracerOptions): Tracer {
  logFailures(log)
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `carillon-${processName}`,
      'service.version': version,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEveryMs })],
  })
  const tracer = provider.getTracer('carillon', version)
  return {
    start(name, { kind = 'internal', parent, attributes = {} }: SpanOptions): Span {
      const options = { kind: kinds[kind], attributes: definedOnly(attributes) }
      const span = tracer.startSpan(name, options, contextOf(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        set: (more) => void span.setAttributes(definedOnly(more)),
        link(traceparent) {
          const context = readTraceparent(traceparent)
          if (context) span.addLink({ context })
        },
        fail: (type) => {
          span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
        },
        end: () => span.end(),
      }
    },
    shutdown: () => provider.shutdown(),
  }
}

/** Failed exports are logged at most this often (ms): there is one each second while the receiver is down. */
const logEveryMs = 60_000

/** The text of OpenTelemetry stays out of the log: it may quote what the receiver answered. */
function logFailures(log: Logger): void {
  let next = 0
  const logFailure = () => {
    if (performance.now() < next) return
    next = performance.now() + logEveryMs
    log.warn('Traces cannot be exported; their spans are dropped. Check OTEL_EXPORTER_OTLP_ENDPOINT')
  }
  const ignore = () => {}
  const logger = { error: logFailure, warn: ignore, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, DiagLogLevel.ERROR)
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  internal: SpanKind.INTERNAL,
} as const

function definedOnly(attributes: SpanOptions['attributes'] = {}): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}

function contextOf(parent: string | null | undefined): Context {
  const context = parent ? readTraceparent(parent) : undefined
  return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT
}

/** A traceparent of any version (https://www.w3.org/TR/trace-context/#traceparent-header); undefined if it is none. */
function readTraceparent(text: string): SpanContext | undefined {
  const match = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/.exec(
    text,
  )
  if (!match) return undefined
  const [, traceId, spanId, flags] = match
  return { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags!, 16) & 1, isRemote: true }
}
