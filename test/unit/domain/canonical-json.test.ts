import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/domain/lib/canonical-json.ts'

describe('the canonical JSON of a body', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: 1, a: { d: [2, { f: 1, e: 2 }], c: null } })).toBe(
      '{"a":{"c":null,"d":[2,{"e":2,"f":1}]},"b":1}',
    )
  })

  it('omits undefined values', () => {
    expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}')
  })

  it('is the same for two bodies only if their contents are the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const same = canonicalJson(one) === canonicalJson(other)
        expect(same).toBe(canonicalJson(JSON.parse(canonicalJson(one))) === canonicalJson(other))
        expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(one)))
      }),
    )
  })

  it('is the same after any reordering of keys', () => {
    const reordered = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reordered)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, reordered(inner)]),
      )
    }
    const plain = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)))
    fc.assert(
      fc.property(plain, (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value))
      }),
    )
  })
})
