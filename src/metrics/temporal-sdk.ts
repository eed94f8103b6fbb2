import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The metrics of Temporal's SDK that are served, with the word for each in docs/operating.md: those that tell whether
 * workers have free slots, poll, keep up, and fail (https://docs.temporal.io/references/sdk-metrics). The others have a
 * series for each operation of Temporal's API.
 */
export const sdkMetricNames = [
  'temporal_worker_task_slots_available',
  'temporal_worker_task_slots_used',
  'temporal_num_pollers',
  'temporal_sticky_cache_size',
  'temporal_workflow_task_schedule_to_start_latency_seconds',
  'temporal_workflow_task_execution_latency_seconds',
  'temporal_workflow_task_execution_failed_total',
  'temporal_activity_schedule_to_start_latency_seconds',
  'temporal_activity_execution_latency_seconds',
  'temporal_activity_execution_failed_total',
  'temporal_local_activity_execution_latency_seconds',
  'temporal_local_activity_execution_failed_total',
] as const

/** Seconds: a task that waits for more than one of them waits for a slot. */
const buckets = [0.1, 1, 10]

/** The SDK's exporter, for the options of its runtime, and what it serves. */
export type SdkMetrics = {
  exporter: { attachServiceName: false; prometheus: PrometheusExporter }
  /** The metrics named above, as text for Prometheus; empty if the exporter does not answer. */
  read(): Promise<string>
}

type PrometheusExporter = {
  bindAddress: string
  countersTotalSuffix: true
  unitSuffix: true
  useSecondsForDurations: true
  histogramBucketOverrides: Record<string, number[]>
}

/** Lets the SDK serve its metrics on a free port of this machine alone: it has no other way to hand them over. */
export async function openSdkMetrics(): Promise<SdkMetrics> {
  const bindAddress = `127.0.0.1:${await freePort()}`
  const histogramBucketOverrides = Object.fromEntries(
    sdkMetricNames.flatMap((name) => {
      const [, histogram] = /^temporal_(\w+_latency)_seconds$/.exec(name) ?? []
      return histogram ? [[histogram, buckets]] : []
    }),
  )
  const options = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true } as const
  return {
    exporter: { attachServiceName: false, prometheus: { bindAddress, ...options, histogramBucketOverrides } },
    read: () => read(bindAddress).catch(() => ''),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}

/** How long the exporter may take (ms). */
const timeoutMs = 2_000

async function read(address: string): Promise<string> {
  const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(timeoutMs) })
  return withNames(await answer.text(), sdkMetricNames)
}

/** The lines of a Prometheus text that are about these metrics. */
function withNames(text: string, names: readonly string[]): string {
  const kept = new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]))
  const nameOf = (line: string) => /^(?:# (?:HELP|TYPE) )?(\w+)/.exec(line)?.[1]
  const lines = text.split('\n').filter((line) => kept.has(nameOf(line) ?? ''))
  return lines.map((line) => `${line}\n`).join('')
}
