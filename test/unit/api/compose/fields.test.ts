import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf, jsonOf } from '../../../../src/api/console/compose/form/fields.ts'

describe('the fields of a form', () => {
  it('are paths of what they describe; what is empty is left out, and lists close up', () => {
    expect(
      jsonOf([
        ['categoryId', 'news'],
        ['subject.en', ''],
        ['messages.2.kind', 'text'],
        ['messages.2.text.en', 'Second'],
        ['messages.0.kind', 'text'],
        ['messages.0.text.zh-TW', '第一則'],
        ['messages.1.text.en', ''],
        ['audience.roles[]', 'student'],
        ['audience.roles[]', 'staff'],
        ['audience.tags[]', ''],
      ]),
    ).toEqual({
      categoryId: 'news',
      messages: [
        { kind: 'text', text: { 'zh-TW': '第一則' } },
        { kind: 'text', text: { en: 'Second' } },
      ],
      audience: { roles: ['student', 'staff'] },
    })
  })

  it('describe nothing that contradicts itself or reaches a prototype', () => {
    expect(
      jsonOf([
        ['a', 'text'],
        ['a.b', 'inside a text'],
        ['__proto__.polluted', 'yes'],
      ]),
    ).toEqual({ a: 'text' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('of any value describe it again', () => {
    const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,5}$/).filter((text) => text !== '__proto__')
    const text = fc.string({ minLength: 1 })
    const texts = fc.array(text, { minLength: 1, maxLength: 3 })
    const object = <T>(inside: fc.Arbitrary<T>) => fc.dictionary(name, inside, { minKeys: 1, maxKeys: 3 })
    const value = object(
      fc.oneof(
        text,
        texts,
        object(fc.oneof(text, texts)),
        fc.array(object(text), { minLength: 1, maxLength: 3 }),
      ),
    )
    fc.assert(
      fc.property(value, (one) => {
        expect(jsonOf(fieldsOf(one))).toEqual(one)
      }),
    )
  })
})
