import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rejectUnstorableText } from '../../../src/api/plugins/bodies.ts'
import { ServiceError } from '../../../src/contract/errors.ts'
import { limits } from '../../../src/contract/limits.ts'

/** The first issue; undefined for a value that can be stored. */
function issueOf(value: unknown): { path: string; message: string } | undefined {
  try {
    rejectUnstorableText(value)
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return (error.details as { issues: [{ path: string; message: string }] }).issues[0]
  }
}

const odd = fc.constantFrom('\u0000', '\ud800', 'a\udfff')

describe('a value', () => {
  it('of storable texts passes, whatever its shape', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        fc.pre(!/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value)))
        expect(issueOf(value)).toBeUndefined()
      }),
    )
  })

  it('is rejected with the path of a text that cannot be stored', () => {
    fc.assert(
      fc.property(odd, fc.array(fc.string({ unit: 'grapheme-ascii' })), (text, before) => {
        expect(issueOf({ a: { list: [...before, text] } })?.path).toBe(`a.list[${before.length}]`)
        expect(issueOf({ a: { [`x${text}`]: 1 } })).toEqual({
          path: 'a',
          message: expect.stringContaining('key'),
          rule: 'unstorable_text',
          of: 'key',
        })
      }),
    )
  })

  it('may have as many levels as documented, and no more', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    expect(issueOf(nested(limits.jsonDepth))).toBeUndefined()
    expect(issueOf(nested(limits.jsonDepth + 1))?.message).toContain(String(limits.jsonDepth))
  })
})
