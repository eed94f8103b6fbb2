import { describe, expect, it } from 'vitest'
import type { ObservedStep } from '../../../src/activities/next-step.ts'
import type { NextStep, WaitReason } from '../../../src/domain/message/next-step.ts'
import { detailsOf, readingOf, sentenceOf, summaryOf } from '../../../src/workflows/view.ts'

const view = {
  version: 4,
  ...{ unitId: '01a1fb97-e6a9-75be-84ad-795325b1446f', categoryId: 'campus-events', origin: 'api' as const },
  ...{ state: 'sending' as const, reminder: null, parked: null },
  counts: [{ of: 'message' as const, expected: 2_000, sent: 1_500, failed: 1, unknown: 0, skipped: 76 }],
}
const until = '2026-11-21T09:00:00.000Z'
const reasons: WaitReason[] = [
  ...([
    'submission',
    'approval',
    'send time',
    'reminder time',
    'resume',
    'provider',
    'pace',
    'quota',
  ] as const),
]
const nexts: NextStep[] = [
  ...reasons.map((reason) => ({ do: 'wait' as const, for: reason, until, ms: 1 })),
  { do: 'sendWave', waveId: 'w', lanes: { chat: 4, email: 4 } },
  { do: 'sendInOneStep', channel: 'chat' },
  ...(['expireMessage', 'resolveAudience', 'reserveQuota', 'finishWave', 'end'] as const).map((step) => ({
    do: step,
  })),
]

describe('the text of a run in the Temporal UI', () => {
  it('names every next step in one short line', () => {
    for (const next of nexts) {
      const sentence = sentenceOf({ ...next, view } as ObservedStep)
      expect(sentence).toMatch(/^[\x20-\x7e]+$/)
      expect(sentence.length).toBeLessThanOrEqual(180)
    }
  })

  it('names what the run waits for, and until when', () => {
    const waiting = { do: 'wait', for: 'approval', until, ms: 1, view } as const
    expect(sentenceOf(waiting)).toBe(`waiting for an approval, until ${until}`)
    expect(sentenceOf({ ...waiting, until: null, ms: null })).toBe('waiting for an approval')
  })

  it('a step’s summary says what the row said before it, a reading’s why the row is read', () => {
    const waiting = {
      do: 'wait',
      for: 'approval',
      until: null,
      ms: null,
      view: { ...view, state: 'submitted' },
    } as const
    expect(summaryOf(waiting)).toBe('submitted, version 4: waiting for an approval')
    expect(summaryOf({ do: 'end', view: null })).toBe('closed')
    expect(readingOf(null, null)).toBe('the run begins')
    expect(readingOf(waiting, 'approved')).toBe('signal approved; was submitted, version 4')
    expect(readingOf(waiting, null)).toBe('end of waiting for an approval; was submitted, version 4')
    expect(readingOf({ do: 'resolveAudience', view }, null)).toBe(
      'after resolveAudience; was sending, version 4',
    )
  })

  it('shows counts as a table once deliveries are written, and since when the wave is parked', () => {
    const since = '2026-11-21T08:00:00.000Z'
    const details = detailsOf({
      do: 'sendWave',
      waveId: 'w',
      lanes: { chat: 4 },
      view: { ...view, parked: { problem: 'provider', since, probeAt: until } },
    })
    expect(details).toBe(
      [
        '**sending**: sending through chat',
        '',
        `**Parked** since ${since}: the provider does not respond or rejects the account. Next retry at ${until}. ` +
          'Signal `retryParked` to retry now, `skipParked` to skip the remaining recipients.',
        '',
        '| deliveries | expected | sent | skipped | failed | unknown |',
        '| --- | --- | --- | --- | --- | --- |',
        '| message | 2000 | 1500 | 76 | 1 | 0 |',
        '',
        'Category campus-events, unit 01a1fb97-e6a9-75be-84ad-795325b1446f, origin api.',
      ].join('\n'),
    )
    expect(detailsOf({ do: 'resolveAudience', view: { ...view, counts: [] } })).not.toContain('|')
  })
})
