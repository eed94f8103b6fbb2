import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Growth } from '../../../bench/growth/main.ts'
import { growthChart, readGrowth, withGrowth } from '../../../dev/docs/growth.ts'

const docs = resolve(import.meta.dirname, '../../../docs')
const read = (name: string) => readFileSync(resolve(docs, name), 'utf8')

describe('docs/scaling.md', () => {
  it('shows how a wave grew when it was measured last', () => {
    expect(withGrowth(read('scaling.md'), readGrowth())).toBe(read('scaling.md'))
  })

  it('has the chart of it', () => {
    expect(growthChart(readGrowth())).toBe(read('images/growth.svg'))
  })
})

it('the chart has larger waves at the right, and faster ones above', () => {
  const sizes = [
    { people: 1_000, chat: 500, mail: 100, workerMb: 1 },
    { people: 100_000, chat: 1_000, mail: 200, workerMb: 1 },
  ]
  const beside = { people: 10, wave: 100_000, aloneSeconds: 1, besideSeconds: [1] }
  const growth: Growth = { day: '2026-11-28', cores: 2, sizes, workers: [], beside }
  const points = /<polyline class="chat" points="([^"]+)"/.exec(growthChart(growth))![1]!
  const [[x0, y0], [x1, y1]] = points.split(' ').map((one) => one.split(',').map(Number)) as [
    [number, number],
    [number, number],
  ]
  expect(x1).toBeGreaterThan(x0)
  expect(y1).toBeLessThan(y0)
})
