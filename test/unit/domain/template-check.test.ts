import { describe, expect, it } from 'vitest'
import type { CanonicalMessage } from '../../../src/contract/messages/content.ts'
import { checkTemplate } from '../../../src/domain/content/template-check.ts'
import { someSteps } from '../../fixtures/speech.ts'

const messages = (zh: string): CanonicalMessage[] => [{ kind: 'text', text: { 'zh-TW': zh } }]
const variablesOf = (...names: string[]) => names.map((name) => ({ name, required: true }))
const check = (zh: string, ...names: string[]) =>
  checkTemplate({ messages: messages(zh), subject: null }, variablesOf(...names), someSteps())

describe('a template at save', () => {
  it('is valid if it lists every variable that its texts use', () => {
    expect(check('{{ a.b | append: c }}{% for i in d %}{{ i }}{% endfor %}', 'a', 'c', 'd')).toEqual([])
  })

  it('may list more than it uses', () => {
    expect(check('hello', 'a')).toEqual([])
  })

  it('names each variable that is not listed, with the text that uses it', () => {
    const path = 'messages[0].text.zh-TW'
    expect(check('{{ a }}{% if b %}{% endif %}')).toMatchObject([
      { path, message: 'must not use a without listing it in variables' },
      { path, message: 'must not use b without listing it in variables' },
    ])
  })

  it('checks the subject too', () => {
    const issues = checkTemplate(
      { messages: messages('x'), subject: { 'zh-TW': '{{ a }}' } },
      [],
      someSteps(),
    )
    expect(issues).toMatchObject([
      { path: 'subject.zh-TW', message: 'must not use a without listing it in variables' },
    ])
  })

  it('reports where a text is not valid Liquid', () => {
    expect(check('{% if %}')).toMatchObject([{ path: 'messages[0].text.zh-TW' }])
  })

  it('names a variable that is listed twice', () => {
    expect(check('x', 'a', 'a')).toEqual([
      {
        path: 'variables[1].name',
        message: 'must be listed once; a is listed twice',
        rule: 'repeated',
        of: 'variable',
        value: 'a',
      },
    ])
  })

  it('is read within the steps of a message, all its texts together', () => {
    const long = '{{ a }}'.repeat(2_800)
    const texts = Array.from({ length: 5 }, () => messages(long)[0]!)
    const issues = checkTemplate({ messages: texts, subject: null }, variablesOf('a'), someSteps())
    expect(issues.map(({ path }) => path)).toEqual([
      'messages[2].text.zh-TW',
      'messages[3].text.zh-TW',
      'messages[4].text.zh-TW',
    ])
    expect(issues[0]?.message).toContain('more than the 5,000 steps')
  })
})
