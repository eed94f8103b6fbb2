import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chartOf, type Newest, newestResults, withResults } from '../../../dev/docs/performance.ts'

const docs = resolve(import.meta.dirname, '../../../docs')
const read = (name: string) => readFileSync(resolve(docs, name), 'utf8')

describe('docs/performance.md', () => {
  it('shows the newest full results', () => {
    expect(withResults(read('performance.md'), newestResults())).toBe(read('performance.md'))
  })

  it('has their chart', () => {
    expect(chartOf(newestResults())).toBe(read('images/performance.svg'))
  })
})

const [ratio, figure] = [0.5, 2].map((median) => ({ median, min: median / 2, max: median * 2 }))
const measured = (unit: 's' | '/s'): Newest => ({
  day: '2026-11-27',
  result: {
    ...{ name: 'B2', unit, bar: 0.8, held: true, figure: 2, floor: 4, ratio: 0.5, rounds: [] },
    ...{ spread: { ratio: ratio!, figure: figure!, floor: figure! }, cpu: { unit: '', ours: {}, floor: {} } },
    ...{ beside: [], notes: [] },
  },
})

describe('the chart', () => {
  const drawn = (unit: 's' | '/s') => chartOf(new Map([['B2', measured(unit)]]))

  it('shows what is counted each second as it was measured', () => {
    expect(drawn('/s')).toContain('>0.50</text>')
  })

  it('shows seconds as the share of the floor’s speed: half of its time is twice its speed', () => {
    expect(drawn('s')).toContain('>2.00</text>')
  })
})
