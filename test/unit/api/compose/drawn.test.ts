import { expect, it } from 'vitest'
import { blocksSection } from '../../../../src/api/console/compose/blocks.ts'
import { isFilled, numbersIn, valuesOf } from '../../../../src/api/console/compose/form/fields.ts'
import { limits } from '../../../../src/contract/limits.ts'

it('a form draws no more entries of a list than one may have, and one of those beyond', () => {
  const options = Array.from({ length: 1_900 }, (_, n): [string, string] => [
    `messages.0.options.${n}.id`,
    `o${n}`,
  ])
  const fields: [string, string][] = [['messages.0.kind', 'quickReply'], ...options]
  const page = blocksSection({
    locale: 'en',
    fields,
    issues: [],
    fieldNames: new Set(),
    counters: [],
  }).pieces.join('')
  expect(page.match(/<fieldset class="entry">/g)).toHaveLength(limits.quickReplyOptions + 1)
})

it('the fields of a form are found by their names, lists and paths', () => {
  const fields: [string, string][] = [
    ['a.10.b', ''],
    ['a.2.b#', '1'],
    ['a.2.c.0.d', 'x'],
    ['tags[]', 'one'],
    ['tags[]', 'two'],
  ]
  expect(numbersIn(fields, 'a')).toEqual([2, 10])
  expect(numbersIn(fields, 'a.2.c')).toEqual([0])
  expect(numbersIn(fields, 'tags')).toEqual([])
  expect(valuesOf(fields, 'tags[]')).toEqual(['one', 'two'])
  expect(['a', 'a.2', 'a.2.b', 'a.2.c.0', 'tags'].filter((path) => !isFilled(fields, path))).toEqual([])
  expect(['', 'a.10', 'a.10.b', 'a.2.x'].filter((path) => isFilled(fields, path))).toEqual([])
})
