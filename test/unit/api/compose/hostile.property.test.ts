import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changed, changeOf } from '../../../../src/api/console/compose/form/acts.ts'
import type { Fields } from '../../../../src/api/console/compose/form/fields.ts'
import { parseMessageForm } from '../../../../src/api/console/compose/form/message-body.ts'
import { parsePatternForm } from '../../../../src/api/console/compose/form/pattern-body.ts'
import {
  exampleValues,
  parseTemplateForm,
  variablesIn,
} from '../../../../src/api/console/compose/form/template-body.ts'

const steps = [
  ...['messages', 'questions', 'variables', 'options', 'actions', 'cards', 'values', 'audience', 'exclude'],
  ...['history', 'registered', 'answered', 'kind', 'text', 'zh-TW', 'id', 'key', 'content', 'find', 'title'],
  ...[
    '0',
    '1',
    '007',
    '9999',
    '',
    ' ',
    'constructor',
    '__proto__',
    'toString',
    'length',
    'deadline',
    'calendar',
  ],
]
const name = fc
  .tuple(
    fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 6 }),
    fc.constantFrom('', '', '[]', '#', '[]#'),
  )
  .map(([path, end]) => path.join('.') + end)
const value = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'card',
    'carousel',
    'query',
    'rsvp',
    'template',
    '{}',
    '[[]]',
    'null',
    '{"kind":"all"}',
    '2026-02-31T25:61',
  ),
)
const fields: fc.Arbitrary<Fields> = fc.array(fc.tuple(name, value), { maxLength: 20 })
const act = fc.oneof(
  fc.string(),
  fc.tuple(fc.constantFrom('add', 'remove', 'up', 'down', 'more'), name).map((parts) => parts.join(' ')),
)

it('no form and no press breaks what reads it: it is a body, or a list of what is wrong', () => {
  fc.assert(
    fc.property(fields, act, (before, pressed) => {
      const change = changeOf(pressed)
      const after = change ? changed(before, change) : before
      for (const described of [
        parseMessageForm(after, 'Asia/Taipei'),
        parsePatternForm(after, 'Asia/Taipei'),
        parseTemplateForm(after),
      ])
        expect(described.body !== null || described.issues.length > 0).toBe(true)
      exampleValues(after)
      variablesIn(after)
    }),
    { numRuns: 2_000, examples: [[[['audience.history.registered.toString', 'x']], '']] },
  )
})
