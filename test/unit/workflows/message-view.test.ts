import { describe, expect, it } from 'vitest'
import type { MessageReading } from '../../../src/activities/read-message.ts'
import { messageView } from '../../../src/workflows/message-view.ts'

const message: MessageReading = {
  version: 4,
  ...{ now: 0, unitId: '01a1fb97-e6a9-75be-84ad-795325b1446f', categoryId: 'campus-events', origin: 'api' },
  ...{ state: 'sending', people: 2_000, reminder: null, parked: null, closed: true },
  counts: [{ of: 'message', expected: 2_000, sent: 1_500, failed: 1, unknown: 0, skipped: 76 }],
}

describe('the text of a message in the Temporal UI', () => {
  it('names the state and the version before what the run does', () => {
    expect(messageView.nameOf(message)).toBe('sending, version 4')
  })

  it('shows counts as a table once deliveries are written, and since when the wave is parked', () => {
    const since = '2026-11-21T08:00:00.000Z'
    const probeAt = '2026-11-21T09:00:00.000Z'
    const parked = { problem: 'provider', since, probeAt } as const
    expect(messageView.detailsOf({ ...message, parked }, 'sending through chat')).toBe(
      [
        '**sending**: sending through chat',
        '',
        `**Parked** since ${since}: the provider does not respond or rejects the account. Next retry at ${probeAt}. ` +
          'Signal `retryParked` to retry now, `skipParked` to skip the remaining recipients.',
        '',
        '| deliveries | expected | sent | skipped | failed | unknown |',
        '| --- | --- | --- | --- | --- | --- |',
        '| message | 2000 | 1500 | 76 | 1 | 0 |',
        '',
        'Category campus-events, unit 01a1fb97-e6a9-75be-84ad-795325b1446f, origin api.',
      ].join('\n'),
    )
    expect(messageView.detailsOf({ ...message, counts: [] }, 'starting')).not.toContain('|')
  })
})
