import { describe, expect, it } from 'vitest'
import { differences, readValues } from '../../fixtures/answers.ts'

const differ = (example: string, answered: string) => differences(readValues(example), readValues(answered))

describe('an answer that the docs show', () => {
  it.each([
    ['{"a": 1, "b": [true, null]}', '{"b":[true,null],"a":1}'],
    ['{"id": "…", "at": "2…"}', '{"id":"x","at":"2026-11-22"}'],
    ['{"key": "hub_…_…"}', '{"key":"hub_a_b"}'],
    ['{"n": …, "list": […], "rest": {…}}', '{"n":{"x":[1]},"list":[],"rest":{"y":2}}'],
    ['{"items": [{"id": 1, …}, …], …}', '{"items":[{"id":1,"name":"a, {b}"},{"id":2}],"nextCursor":null}'],
    ['{"a": 1}\n{"b": 2}', '{"a":1}{"b":2}'],
  ])('%s matches %s', (example, answered) => {
    expect(differ(example, answered)).toEqual([])
  })

  it.each([
    ['{"a": 1}', '{"a":2}', '[0].a: shown 1, answered 2'],
    ['{"a": 1}', '{"a":1,"b":2}', '[0].b: answered, but not shown'],
    ['{"a": 1, …}', '{"b":2}', '[0].a: shown, but not answered'],
    ['{"a": "x.…"}', '{"a":"xy"}', '[0].a: shown "x.…", answered "xy"'],
    ['[1, …]', '[]', '[0]: shown [1,null], answered []'],
    ['[1]', '[1,2]', '[0]: shown [1], answered [1,2]'],
    ['{"a": 1}', '{"a":1}{"b":2}', ': shown [{"a":1}], answered [{"a":1},{"b":2}]'],
  ])('%s differs from %s', (example, answered, difference) => {
    expect(differ(example, answered)).toEqual([difference])
  })
})
