import { expect, it } from 'vitest'
import { blamesOf } from '../../../src/domain/message/shortfall.ts'

it('the page names whose faults the failures of a send are, first that of the most', () => {
  const reasons = [
    { channel: 'chat' as const, reason: 'rejected', deliveries: 40 },
    { channel: 'email' as const, reason: 'bad_address', deliveries: 30 },
    { channel: 'chat' as const, reason: 'invalid_recipient', deliveries: 20 },
    { channel: 'email' as const, reason: 'mailbox_full', deliveries: 1 },
  ]
  expect(blamesOf({ reasons })).toEqual(['address', 'provider', 'full'])
})
