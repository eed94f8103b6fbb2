import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readAlerts } from '../../fixtures/alerts.ts'
import { metricsIn } from '../../fixtures/dashboards.ts'
import { documentedMetrics } from '../../fixtures/metrics.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
const alerts = readAlerts()

it('docs/operating.md has a paragraph about each alert, to which it links, and about no other', () => {
  const explained = [...page.matchAll(/^#### (Carillon\w+)\n\n(.+)/gm)]
  expect(explained.map(([, name]) => name)).toEqual(alerts.map(({ alert }) => alert))
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`)
})

it('each alert has the severity that its paragraph states, and a summary', () => {
  for (const { alert, labels, annotations } of alerts) {
    const [, paragraph] = new RegExp(`^#### ${alert}\n\n((?:.+\n)+)`, 'm').exec(page)!
    expect(['critical', 'warning', 'info']).toContain(labels.severity)
    expect(paragraph!.replaceAll('\n', ' '), alert).toContain(`(\`${labels.severity}\`). `)
    expect(annotations.summary.length).toBeGreaterThan(10)
  }
})

it('alerts ask for metrics that are served, by the labels that they have', () => {
  const labelsByName = new Map(documentedMetrics().map(({ name, labels }) => [name, labels]))
  for (const { alert, expr } of alerts) {
    const metrics = metricsIn(expr)
    if (alert !== 'CarillonProcessDown') expect(metrics.length, alert).toBeGreaterThan(0)
    for (const { name, labels } of metrics)
      expect(labelsByName.get(name), `${alert}: ${name}`).toEqual(expect.arrayContaining(labels))
  }
})
