import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { parseInTurn } from '../../../src/api/plugins/large-bodies.ts'

const large = 64 * 1024

describe('bodies', () => {
  it('that are small are parsed at once', () => {
    const parsed: string[] = []
    parseInTurn(large - 1, () => parsed.push('small'))
    expect(parsed).toEqual(['small'])
  })

  it('that are large are parsed in order, and leave the event loop to others in between', async () => {
    const order: string[] = []
    const all = Promise.withResolvers<void>()
    for (const name of ['first', 'second', 'third'])
      parseInTurn(large, () => {
        order.push(name)
        if (name === 'third') all.resolve()
        void nextTurn().then(() => order.push(`others after ${name}`))
      })
    await all.promise
    expect(order).toEqual(['first', 'others after first', 'second', 'others after second', 'third'])
  })
})
