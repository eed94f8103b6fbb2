import { describe, expect, it } from 'vitest'
import type { Look } from '../../../src/activities/look.ts'
import type { Next, WaitFor } from '../../../src/domain/next.ts'
import { detailsOf, sentenceOf } from '../../../src/workflows/view.ts'

const view = {
  version: 4,
  ...{ unitId: '01a1fb97-e6a9-75be-84ad-795325b1446f', categoryId: 'campus-events', origin: 'api' as const },
  ...{ state: 'sending' as const, problem: null },
  ...{ expected: 2_000, sent: 1_500, failed: 1, unknown: 0, skipped: 76 },
}
const until = '2026-11-21T09:00:00.000Z'
const reasons: WaitFor[] = ['submission', 'approval', 'send time', 'resume', 'provider', 'reminder']
const nexts: Next[] = [
  ...reasons.map((reason) => ({ do: 'wait' as const, for: reason, until, ms: 1 })),
  { do: 'send', waveId: 'w', lanes: { chat: 4, email: 4 } },
  { do: 'express', channel: 'chat' },
  { do: 'rows', waveId: 'w' },
  ...(['expire', 'start', 'finish', 'missReminder', 'end'] as const).map((step) => ({ do: step })),
]

describe('what an operator reads of a run', () => {
  it('says in one short line what comes next, for every step', () => {
    for (const next of nexts) {
      const sentence = sentenceOf({ ...next, view } as Look)
      expect(sentence).toMatch(/^[\x20-\x7e]+$/)
      expect(sentence.length).toBeLessThanOrEqual(180)
    }
  })

  it('names who or what is waited for, and until when', () => {
    const waiting = { do: 'wait', for: 'approval', until, ms: 1, view } as const
    expect(sentenceOf(waiting)).toBe(`waits for an approval, until ${until}`)
    expect(sentenceOf({ ...waiting, until: null, ms: null })).toBe('waits for an approval')
  })

  it('shows the counts as a table once the rows are written, and the problem where there is one', () => {
    const details = detailsOf({
      do: 'send',
      waveId: 'w',
      lanes: { chat: 4 },
      view: { ...view, problem: 'provider' },
    })
    expect(details).toBe(
      [
        '**sending**: sends through chat',
        '',
        'Problem: provider',
        '',
        '| deliveries | sent | skipped | failed | unknown |',
        '| --- | --- | --- | --- | --- |',
        '| 2000 | 1500 | 76 | 1 | 0 |',
        '',
        'Category campus-events, unit 01a1fb97-e6a9-75be-84ad-795325b1446f, made by api.',
      ].join('\n'),
    )
    expect(detailsOf({ do: 'start', view: { ...view, expected: null } })).not.toContain('|')
  })
})
