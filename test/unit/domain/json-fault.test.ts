import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFault } from '../../../src/domain/lib/json-fault.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('the fault of a JSON text', () => {
  it.each([
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[1 2]', 3],
    ['[1, 2', 5],
    ['"\\x"', 1],
    ['"a\nb"', 2],
    ['"a', 2],
    ['01', 1],
    ['nul', 0],
    ['{} {}', 3],
    ['[}', 1],
    ['', 0],
    [' ', 1],
  ])('of %j is at %d', (text, offset) => {
    expect(jsonFault(text)).toBe(offset)
  })

  it('is found exactly where the parser finds one', () => {
    const pieces = fc.constantFrom(...'{}[]:,"\\ \n01-.eE+', 'true', 'null', '"a"', '\\u00e9', 'x')
    const text = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (t) => (jsonFault(t) === null) === isJson(t)),
      { numRuns: 3_000 },
    )
    fc.assert(fc.property(fc.json(), (t) => jsonFault(t) === null))
  })

  it('is found in a deep text', () => {
    expect(jsonFault('['.repeat(200_000))).toBe(200_000)
  })
})
