import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { dashboards } from '../../../dev/grafana/dashboards.ts'
import { readAlerts } from '../../fixtures/alerts.ts'
import { metricsIn, panelsOf, queriesOf } from '../../fixtures/dashboards.ts'
import { documentedMetrics } from '../../fixtures/metrics.ts'

const folder = resolve(import.meta.dirname, '../../../deploy/grafana')
const all = Object.entries(dashboards)

it.each(all)('deploy/grafana/%s.json is what its source builds', async (name, dashboard) => {
  await expect(`${JSON.stringify(dashboard, null, 2)}\n`).toMatchFileSnapshot(`${folder}/${name}.json`)
})

it('deploy/grafana has no other dashboards, and each has an address of its own', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  expect(files.toSorted()).toEqual(all.map(([name]) => `${name}.json`).toSorted())
  expect(new Set(all.map(([, { uid }]) => uid)).size).toBe(all.length)
})

it.each(all)('the panels of %s say what they show, and ask for metrics that are served', (_, dashboard) => {
  const labelsByName = new Map(documentedMetrics().map(({ name, labels }) => [name, labels]))
  for (const { title, description } of panelsOf(dashboard))
    expect(description?.length, title).toBeGreaterThan(4)
  for (const { panel, expr, legend } of queriesOf(dashboard)) {
    const metrics = metricsIn(expr)
    for (const { name, labels } of metrics)
      expect(labelsByName.get(name), `${panel}: ${name}`).toEqual(expect.arrayContaining(labels))
    const legendLabels = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!)
    const there = [...metrics.flatMap(({ name }) => labelsByName.get(name)!), 'instance']
    expect(there, `${panel}: ${legend}`).toEqual(expect.arrayContaining(legendLabels))
  }
})

it.each(all)('the picture of %s in the docs shows every panel', (name, dashboard) => {
  const picture = readFileSync(
    resolve(import.meta.dirname, `../../../docs/images/dashboard-${name}.svg`),
    'utf8',
  )
  const titles = panelsOf(dashboard).map(({ title }) => title!.replaceAll('&', '&amp;'))
  expect(titles.length).toBeGreaterThan(4)
  expect(titles.filter((title) => !picture.includes(`>${title}<`))).toEqual([])
})

it('every metric of the table is on a dashboard', () => {
  const metrics = all.flatMap(([, dashboard]) => queriesOf(dashboard).flatMap(({ expr }) => metricsIn(expr)))
  const names = new Set(metrics.map(({ name }) => name))
  expect(documentedMetrics().filter(({ name }) => !names.has(name))).toEqual([])
  expect(
    readAlerts()
      .flatMap(({ expr }) => metricsIn(expr))
      .filter(({ name }) => !names.has(name)),
  ).toEqual([])
})
