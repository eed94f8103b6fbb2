import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { recordSpans } from './spans.ts'

/** Where to send spans, and which part of the traces that begin here to record. */
type TracingSettings = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'
>

/**
 * Begins to record the spans of this process, if the settings name where to send them. OpenTelemetry's SDK is loaded
 * only then.
 */
export async function startTracing(
  settings: TracingSettings,
  processName: 'api' | 'worker',
  log: Logger,
): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = settings
  if (endpoint === undefined) return
  const { openTracer } = await import('./tracer.ts')
  const headers = { ...settings.OTEL_EXPORTER_OTLP_HEADERS }
  recordSpans(openTracer({ url: `${endpoint}/v1/traces`, headers, ratio, processName, log }))
}
