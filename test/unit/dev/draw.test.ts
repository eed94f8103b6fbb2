import { expect, it } from 'vitest'
import { drawDashboard } from '../../../dev/grafana/draw.ts'
import { dashboardOf, figure, lines } from '../../../dev/grafana/panels.ts'

const about = { uid: 'a', title: 'A & B', description: 'A dashboard of this test.' }
const spec = { title: 'Answers', description: 'Of this test.', unit: 's' }

it('a dashboard is drawn from the answers to its queries, with the values that they have', () => {
  const dashboard = dashboardOf(about, {
    Row: [figure({ ...spec, queries: { now: 'up' } }), lines({ ...spec, queries: { '{{channel}}': 'lag' } })],
  })
  const drawn = drawDashboard(
    dashboard,
    new Map([
      ['up', [{ metric: {}, values: [[1, 7] as [number, number], [2, 42]] }]],
      [
        'lag',
        [{ metric: { channel: '<chat>' }, values: [[1, 5] as [number, number], [2, Number.NaN], [3, 1]] }],
      ],
    ]),
  )
  expect(drawn).toContain('A &amp; B. Drawn from the answers of a Prometheus')
  expect(drawn).toContain('>42 s</text>')
  expect(drawn).toContain('>&lt;chat&gt;</text>')
  // From the highest value, with a gap where there was none, to a fifth of it.
  const [, path] = /<path d="(M[^"]+)" fill="none"/.exec(drawn)!
  const points = [...path!.matchAll(/M(\S+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
  expect(points).toHaveLength(2)
  expect(points[0]![1]).toBeLessThan(points[1]![1]!)
})
