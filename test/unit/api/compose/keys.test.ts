import { expect, it } from 'vitest'
import type { Fields } from '../../../../src/api/console/compose/form/fields.ts'
import { withKeys } from '../../../../src/api/console/compose/form/keys.ts'

it('each entry of a list gets a key once, and the same press makes the same keys', () => {
  const fields: Fields = [
    ['messages.0.kind', 'quickReply'],
    ['messages.0.key', 'a'],
    ['messages.0.options.0.id', 'o1'],
    ['messages.0.options.1.key', ''],
    ['variables.day', 'Friday'],
    ['deep.0.other', 'x'],
  ]
  const named = withKeys(fields, 'p')
  expect(named.filter(([name]) => name.endsWith('.key'))).toEqual([
    ['messages.0.key', 'a'],
    ['messages.0.options.0.key', 'p0'],
    ['messages.0.options.1.key', 'p1'],
  ])
  expect(withKeys(fields, 'p')).toEqual(named)
  expect(withKeys(named, 'q')).toEqual(named)
})
