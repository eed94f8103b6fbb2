import { it, vi } from 'vitest'

it('passes', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
