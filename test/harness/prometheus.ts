import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { stringify } from 'yaml'
import type { Series } from '../../dev/grafana/draw.ts'
import { freePort } from '../../dev/ports.ts'
import './injected.ts'
import type { PrometheusTools } from './prometheus-tools.ts'
import { spawnCommand } from './spawn.ts'

/** A running Prometheus that scrapes every second. */
export type Prometheus = {
  /** The values of a query over the last `seconds`, one for each second. */
  askRange(expr: string, seconds: number): Promise<Series[]>
  /** The name and state of each alert rule. */
  alerts(): Promise<{ name: string; state: string; health: string }[]>
  stop(): Promise<void>
}

/** Starts Prometheus for processes with /metrics on these ports, as the job `carillon`, with these rules. */
export async function startPrometheus(
  { prometheus }: PrometheusTools,
  ports: readonly number[],
  rules: string,
): Promise<Prometheus> {
  const port = await freePort()
  const folder = join(inject('scratch'), `prometheus-${port}`)
  mkdirSync(folder)
  const config = join(folder, 'prometheus.yml')
  const targets = ports.map((one) => `127.0.0.1:${one}`)
  writeFileSync(
    config,
    stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'carillon', static_configs: [{ targets }] }],
    }),
  )
  const spawned = await spawnCommand('prometheus', prometheus, [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  await spawned.logged(/Server is ready/)
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const { data, error } = (await answer.json()) as { data: never; error?: string }
    if (error !== undefined) throw new Error(`${path}: ${error}`)
    return data
  }
  return {
    async askRange(expr, seconds) {
      const end = Math.floor(Date.now() / 1_000)
      const query = new URLSearchParams({
        ...{ query: expr, step: '1' },
        ...{ start: String(end - seconds), end: String(end) },
      })
      const { result } = (await ask(`query_range?${query}`)) as {
        result: { metric: Series['metric']; values: [number, string][] }[]
      }
      return result.map(({ metric, values }) => ({
        metric,
        values: values.map(([at, value]) => [at, Number(value)]),
      }))
    },
    async alerts() {
      const { groups } = (await ask('rules?type=alert')) as {
        groups: { rules: { name: string; state: string; health: string }[] }[]
      }
      return groups.flatMap(({ rules }) => rules)
    },
    stop: () => spawned.stop(),
  }
}
