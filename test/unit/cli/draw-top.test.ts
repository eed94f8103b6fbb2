import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawTop, duration } from '../../../src/cli/draw-top.ts'
import { widthOf } from '../../../src/cli/table.ts'
import type { SendingItem, TopSnapshot } from '../../../src/cli/top-snapshot.ts'
import { byKind } from '../../../src/db/queries/run/union-of-kinds.ts'

const at = new Date('2026-11-23T09:41:15.123Z')
const idOf = (n: number) => `01997a55-0000-7000-8000-${String(n).padStart(12, '0')}`

const idle: TopSnapshot = {
  at,
  sending: { total: 0, items: [] },
  channels: [
    { channel: 'chat', restsUntil: null, retrying: 0, oldestSeconds: 0, takesNothing: false },
    { channel: 'email', restsUntil: null, retrying: 0, oldestSeconds: 0, takesNothing: false },
  ],
  approvals: { waiting: 0, oldestSeconds: 0 },
  quota: [],
  runs: byKind(() => ({ overdue: 0, wedged: 0, restarted: 0, oldestSeconds: 0, takesNothing: false })),
  failed: { total: 0, newest: [] },
  parked: {
    counts: byKind(() => ({ provider: 0, provider_quota: 0, quota: 0, unknown_recipients: 0, internal: 0 })),
    oldest: [],
  },
}

function sendingOf(n: number, parts: Partial<SendingItem> = {}): SendingItem {
  return {
    messageId: idOf(n),
    waveId: idOf(n + 1_000),
    unit: '教務處',
    categoryId: 'academic-affairs',
    reminder: false,
    expected: 2_000,
    done: 500,
    failed: 0,
    perSecond: 310.4,
    ...parts,
  }
}

const busy: TopSnapshot = {
  ...idle,
  sending: {
    total: 3,
    items: [
      sendingOf(1),
      sendingOf(2, { unit: 'Library', reminder: true, failed: 12, perSecond: 0 }),
      sendingOf(3, { unit: 'Admissions', expected: null, done: 0, perSecond: 0 }),
    ],
  },
  channels: [
    {
      channel: 'chat',
      restsUntil: new Date(at.getTime() + 42_000),
      retrying: 0,
      oldestSeconds: 0,
      takesNothing: false,
    },
    { channel: 'email', restsUntil: null, retrying: 3, oldestSeconds: 200, takesNothing: false },
  ],
  approvals: { waiting: 1, oldestSeconds: 9_000 },
  quota: [
    { channel: 'chat', scope: 'unit', ratio: 0.31 },
    { channel: 'chat', scope: 'pool', ratio: 1.2 },
  ],
  runs: { ...idle.runs, message: { overdue: 2, wedged: 1, restarted: 0, oldestSeconds: 75 } },
  parked: {
    counts: {
      ...idle.parked.counts,
      message: { provider: 7, provider_quota: 0, quota: 0, unknown_recipients: 0, internal: 0 },
    },
    oldest: [
      {
        ...{ kind: 'message', id: idOf(9), unit: '教務處', state: 'sending', problem: 'provider' },
        ...{ since: new Date('2026-11-23T08:00:00Z'), nextTryAt: null },
      },
    ],
  },
}

describe('carillon top', () => {
  it('draws an installation in which nothing happens', () => {
    expect(drawTop(idle, { columns: 80, rows: 24 }).join('\n')).toMatchInlineSnapshot(`
      "CARILLON   2026-11-23 09:41:15 UTC

      RUNS       message      0 overdue, 0 wedged, 0 restarted; none is late
                 scenario run 0 overdue, 0 wedged, 0 restarted; none is late
                 schedule     0 overdue, 0 wedged, 0 restarted; none is late
      CHANNELS   chat         open
                 email        open
      QUOTA      nothing is used or reserved this month
      APPROVALS  none waits
      PARKED     nothing

      SENDING    nothing"
    `)
  })

  it('draws a busy one on 80 columns, as docs/operating.md shows', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
    const [, example] = /^```\n(CARILLON .*?)\n```$/ms.exec(page)!
    expect(drawTop(busy, { columns: 80, rows: 24 }).join('\n')).toBe(example)
  })

  it('draws counts and categories too where there is room', () => {
    expect(drawTop(busy, { columns: 140, rows: 40 }).slice(-4).join('\n')).toMatchInlineSnapshot(`
      "SENDING    3 waves
        01997a55-0000-7000-8000-000000000001  ██████░░░░░░░░░░░░░░░░░░  25%           500/2,000    310/s    5s  教務處, academic-affairs
        01997a55-0000-7000-8000-000000000002  ██████░░░░░░░░░░░░░░░░░░  25%           500/2,000      0/s        12 failed, reminder, Library, aca…
        01997a55-0000-7000-8000-000000000003  ░░░░░░░░░░░░░░░░░░░░░░░░   0%                 0/?      0/s        Admissions, academic-affairs"
    `)
  })

  it('counts the sends that do not fit', () => {
    const items = Array.from({ length: 50 }, (_, n) => sendingOf(n))
    const lines = drawTop({ ...idle, sending: { total: 1_200, items } }, { columns: 80, rows: 24 })
    const bars = lines.filter((line) => line.includes('█')).length
    expect(lines).toHaveLength(24)
    expect(lines.at(-1)).toBe(`  and ${(1_200 - bars).toLocaleString('en')} more`)
  })

  it('never draws past the edges of the terminal', () => {
    const size = fc.record({
      columns: fc.integer({ min: 20, max: 200 }),
      rows: fc.integer({ min: 3, max: 60 }),
    })
    fc.assert(
      fc.property(size, fc.constantFrom(idle, busy), (terminal, snapshot) => {
        const lines = drawTop(snapshot, terminal)
        expect(lines.length).toBeLessThanOrEqual(terminal.rows)
        expect(lines.filter((line) => widthOf(line) > terminal.columns)).toEqual([])
      }),
    )
  })

  it('says durations in the largest unit that is precise enough', () => {
    expect([0, 0.2, 99, 100, 5_999, 6_000, 172_799, 172_800].map(duration)).toEqual([
      ...['0s', '1s', '99s', '2m', '100m', '2h', '48h', '2d'],
    ])
  })
})
