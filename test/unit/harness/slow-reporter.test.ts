import { expect, it } from 'vitest'
import { describeTimes } from '../../harness/slow-reporter.ts'

it('a run ends with its slowest files, the slowest first, and the share of set-up in each and in all', () => {
  const times = [
    { file: 'quick.test.ts', total: 500, setUp: 0 },
    { file: 'slow.test.ts', total: 12_340, setUp: 6_170 },
    { file: 'empty.test.ts', total: 0, setUp: 0 },
  ]
  expect(describeTimes(times)).toBe(
    [
      '3 files took   12.8 s, 48 % set-up. The slowest 3:',
      '    12.3 s, 50 % set-up. slow.test.ts',
      '     0.5 s,  0 % set-up. quick.test.ts',
      '     0.0 s,  0 % set-up. empty.test.ts',
    ].join('\n'),
  )
})

it('shows at most thirty files', () => {
  const times = Array.from({ length: 40 }, (_, n) => ({ file: `${n}.test.ts`, total: n, setUp: 0 }))
  expect(describeTimes(times).split('\n')).toHaveLength(31)
})
