import { describe, expect, it } from 'vitest'
import type { Phase } from '../../../../src/channels/email/failure.ts'
import { outcomeOfReply } from '../../../../src/channels/email/replies.ts'
import { type FarEndMeaning, farEnds } from './far-ends.ts'

const ann = 'ann@example.edu'

function meaningOf(phase: Phase, reply: string): FarEndMeaning {
  const { outcome, suspected } = outcomeOfReply({ phase, reply }, ann)
  switch (outcome.kind) {
    case 'refused':
      if (outcome.code === 'bad_address') return 'suppressed'
      return suspected?.kind === 'misconfigured' ? 'account' : `alone ${outcome.code}`
    case 'deferred':
      return `later ${outcome.code}`
    case 'quota':
      return 'limit'
    case 'throttled':
      return 'slower'
    case 'misconfigured':
      return 'account'
    default:
      return 'server'
  }
}

describe.each(Object.entries(farEnds))('%s', (_, sources) => {
  const rows = Object.values(sources).flat()
  it.each(rows)('at %s: %s', (phase, reply, means) => {
    expect(meaningOf(phase, reply)).toBe(means)
  })
})
