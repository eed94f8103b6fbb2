import { describe, expect, it } from 'vitest'
import type { EdgeCase } from '../../../../src/contract/scenarios/graph.ts'
import { holds } from '../../../../src/domain/scenario/values.ts'

const values = {
  n: 7,
  text: '07',
  price: '12.5',
  wide: '１０',
  yes: true,
  none: null,
  order: { total: 3, items: [1] },
}

describe('a condition', () => {
  it.each<[EdgeCase, boolean]>([
    [{ kind: 'equals', variable: 'n', value: 7 }, true],
    [{ kind: 'equals', variable: 'n', value: '7' }, true],
    [{ kind: 'equals', variable: 'text', value: 7 }, true],
    [{ kind: 'equals', variable: 'text', value: '7' }, false],
    [{ kind: 'equals', variable: 'yes', value: true }, true],
    [{ kind: 'equals', variable: 'yes', value: 'true' }, false],
    [{ kind: 'equals', variable: 'yes', value: 1 }, false],
    [{ kind: 'equals', variable: 'order.total', value: 3 }, true],
    [{ kind: 'equals', variable: 'missing', value: '' }, false],
    [{ kind: 'oneOf', variable: 'n', values: [1, '7'] }, true],
    [{ kind: 'oneOf', variable: 'n', values: [1] }, false],
    [{ kind: 'atLeast', variable: 'price', value: 12.5 }, true],
    [{ kind: 'atMost', variable: 'price', value: 12 }, false],
    [{ kind: 'atMost', variable: 'none', value: 12 }, false],
    [{ kind: 'atLeast', variable: 'wide', value: 10 }, true],
    [{ kind: 'atLeast', variable: 'order', value: 0 }, false],
    [{ kind: 'exists', variable: 'yes' }, true],
    [{ kind: 'exists', variable: 'none' }, false],
    [{ kind: 'exists', variable: 'order.constructor' }, false],
    [{ kind: 'exists', variable: 'n.toFixed' }, false],
    [{ kind: 'otherwise' }, false],
  ])('%j: %j', (when, expected) => {
    expect(holds(when, values)).toBe(expected)
  })
})
