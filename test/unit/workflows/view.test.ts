import { describe, expect, it } from 'vitest'
import type { ObservedStep } from '../../../src/activities/next-step.ts'
import type { NextStep, WaitReason } from '../../../src/domain/next-step.ts'
import { detailsOf, sentenceOf } from '../../../src/workflows/view.ts'

const view = {
  version: 4,
  ...{ unitId: '01a1fb97-e6a9-75be-84ad-795325b1446f', categoryId: 'campus-events', origin: 'api' as const },
  ...{ state: 'sending' as const, reminder: null, parked: null },
  counts: [{ of: 'message' as const, expected: 2_000, sent: 1_500, failed: 1, unknown: 0, skipped: 76 }],
}
const until = '2026-11-21T09:00:00.000Z'
const reasons: WaitReason[] = [
  ...(['submission', 'approval', 'send time', 'reminder time', 'resume', 'provider', 'quota'] as const),
]
const nexts: NextStep[] = [
  ...reasons.map((reason) => ({ do: 'wait' as const, for: reason, until, ms: 1 })),
  { do: 'send', waveId: 'w', lanes: { chat: 4, email: 4 } },
  { do: 'express', channel: 'chat' },
  { do: 'rows', waveId: 'w' },
  ...(['expire', 'start', 'finish', 'end'] as const).map((step) => ({ do: step })),
]

describe('what an operator reads of a run', () => {
  it('says in one short line what comes next, for every step', () => {
    for (const next of nexts) {
      const sentence = sentenceOf({ ...next, view } as ObservedStep)
      expect(sentence).toMatch(/^[\x20-\x7e]+$/)
      expect(sentence.length).toBeLessThanOrEqual(180)
    }
  })

  it('names who or what is waited for, and until when', () => {
    const waiting = { do: 'wait', for: 'approval', until, ms: 1, view } as const
    expect(sentenceOf(waiting)).toBe(`waits for an approval, until ${until}`)
    expect(sentenceOf({ ...waiting, until: null, ms: null })).toBe('waits for an approval')
  })

  it('shows the counts as a table once the rows are written, and since when it is parked', () => {
    const since = '2026-11-21T08:00:00.000Z'
    const details = detailsOf({
      do: 'send',
      waveId: 'w',
      lanes: { chat: 4 },
      view: { ...view, parked: { problem: 'provider', since, probeAt: until } },
    })
    expect(details).toBe(
      [
        '**sending**: sends through chat',
        '',
        `**Parked** since ${since}: the provider does not answer, or refuses our account. It tries again at ${until}; ` +
          'signal `retryParked` makes it try now, `skipParked` gives up who is left.',
        '',
        '| deliveries | expected | sent | skipped | failed | unknown |',
        '| --- | --- | --- | --- | --- | --- |',
        '| message | 2000 | 1500 | 76 | 1 | 0 |',
        '',
        'Category campus-events, unit 01a1fb97-e6a9-75be-84ad-795325b1446f, made by api.',
      ].join('\n'),
    )
    expect(detailsOf({ do: 'start', view: { ...view, counts: [] } })).not.toContain('|')
  })
})
