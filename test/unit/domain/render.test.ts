import fc from 'fast-check'
import { Liquid } from 'liquidjs'
import { describe, expect, it, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { CanonicalMessage } from '../../../src/contract/messages/content.ts'
import type { TemplateVariable } from '../../../src/contract/templates/template.ts'
import { renderedLengthMax } from '../../../src/domain/content/liquid.ts'
import { render } from '../../fixtures/speech.ts'

const text = (zh: string, en?: string): CanonicalMessage => ({
  kind: 'text',
  text: { 'zh-TW': zh, ...(en !== undefined && { en }) },
})
const required = (name: string): TemplateVariable => ({ name, required: true })

/** A template of one text, rendered. */
function renderText(zh: string, variables: TemplateVariable[] = [], values: Record<string, unknown> = {}) {
  const rendering = render({ messages: [text(zh)], subject: null }, variables, values)
  const [message] = rendering.messages
  return { ...rendering, text: message?.kind === 'text' ? message.text['zh-TW'] : undefined }
}

/** Texts that take long to search for one another. */
const everywhere = {
  a: 'a'.repeat(50_000),
  b: `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`,
  c: `${'a'.repeat(400)}b${'a'.repeat(400)}`,
}

describe('a template', () => {
  it('is rendered in both languages, with the same variables', () => {
    const { messages } = render(
      { messages: [text('{{ course }} 停課', '{{ course }} is cancelled')], subject: null },
      [required('course')],
      { course: '微積分' },
    )
    expect(messages).toEqual([text('微積分 停課', '微積分 is cancelled')])
  })

  it('is rendered in cards, actions, options and its subject', () => {
    const label = { 'zh-TW': '{{ x }}' }
    const rendering = render(
      {
        subject: { 'zh-TW': '{{ x }}' },
        messages: [
          {
            kind: 'carousel',
            cards: [
              { kind: 'card', title: label, actions: [{ kind: 'mute', label, categoryId: '{{ x }}' }] },
            ],
          },
          { kind: 'quickReply', text: label, options: [{ id: '{{ x }}', label }] },
        ],
      },
      [required('x')],
      { x: '1' },
    )
    const one = { 'zh-TW': '1' }
    expect(rendering).toEqual({
      subject: one,
      messages: [
        {
          kind: 'carousel',
          cards: [
            { kind: 'card', title: one, actions: [{ kind: 'mute', label: one, categoryId: '{{ x }}' }] },
          ],
        },
        { kind: 'quickReply', text: one, options: [{ id: '{{ x }}', label: one }] },
      ],
      missing: [],
      unfilled: [],
      violations: [],
      warnings: [],
    })
  })

  it('keeps a URL a URL, whatever the variables contain', () => {
    const { messages } = render(
      {
        messages: [{ kind: 'image', url: 'https://a.example/{{ x }}', alt: { 'zh-TW': '圖' } }],
        subject: null,
      },
      [required('x')],
      { x: '王 "<script>' },
    )
    expect(messages[0]).toMatchObject({ url: 'https://a.example/%E7%8E%8B%20%22%3Cscript%3E' })
  })

  it('names every missing variable at once; null counts as missing', () => {
    const variables = [required('a'), required('b'), required('c')]
    expect(renderText('{{ a }}{{ b }}', variables, { a: 1, b: null }).missing).toEqual(['b', 'c'])
  })

  it('names a property that a given variable does not have', () => {
    expect(renderText('{{ order.total }}', [required('order')], { order: {} }).missing).toEqual([
      'order.total',
    ])
  })

  it('fills what is not required with its default, or with nothing', () => {
    const variables = [
      { name: 'a', required: false, default: '預設' },
      { name: 'b', required: false },
    ]
    expect(renderText('{{ a }}{% if b %}!{% endif %}{{ b | default: "無" }}', variables).text).toBe('預設無')
  })

  it('ignores values that are not listed', () => {
    expect(renderText('{{ secret }}', [], { secret: 'x' }).missing).toEqual(['secret'])
  })

  it.each([
    ['a', { b: 1 }],
    ['a', [1, { b: 2 }]],
    ['a.b', { b: { c: 1 } }],
    ['a | append: "!"', { b: 1 }],
    ['a | join: ", "', [{ b: 1 }]],
    ['a | raw', { b: 1 }],
    ['a', JSON.parse('{"__proto__": {"b": 1}}')],
  ])('rejects {{ %s }} if its value is an object', (expression, a) => {
    const { violations } = renderText(`{{ ${expression} }}`, [required('a')], { a })
    expect(violations).toMatchObject([{ path: 'messages[0].text.zh-TW', code: 'not_renderable' }])
    expect(violations[0]!.message.en).toContain('use one of its properties')
  })

  it('writes a property of an object, or the whole object as JSON', () => {
    const values = { a: { b: [{ c: 'x' }, { c: 'y' }] } }
    const source =
      '{% for one in a.b %}{{ one.c }}{% endfor %} {{ a.b | map: "c" | join: ", " }} {{ a | json }}'
    expect(renderText(source, [required('a')], values).text).toBe('xy x, y {"b":[{"c":"x"},{"c":"y"}]}')
  })

  it.each<[string, unknown]>([
    ['{{ a }}', 2 ** 53],
    ['{{ a }}', -1e300],
    ['{{ a.id }}', { id: 2 ** 53 }],
    ['{{ a | join: ", " }}', [1, 2 ** 53]],
    ['{{ a | plus: 1 }}', 2 ** 53],
    ['{{ a | append: "!" }}', 2 ** 53],
    ['{{ a | json }}', { id: 2 ** 53 }],
    ['{% if a > 1 %}!{% endif %}', 2 ** 53],
  ])('rejects %s if that is a number which JSON has rounded', (source, a) => {
    const { violations } = renderText(source, [required('a')], { a })
    expect(violations).toMatchObject([{ path: 'messages[0].text.zh-TW', code: 'not_renderable' }])
    expect(violations[0]!.message).toEqual({
      'zh-TW': expect.stringContaining('請改以文字提供'),
      en: expect.stringContaining('give it as a text'),
    })
  })

  it('writes exact numbers, long ones that are given as texts, and what stands beside inexact ones', () => {
    const values = { a: { id: 2 ** 53, total: 2 ** 53 - 1, rate: 0.1 }, b: '98765432109876543' }
    const source = '{{ a.total }} {{ a.rate }} {{ b }}'
    expect(renderText(source, [required('a'), required('b')], values).text).toBe(
      '9007199254740991 0.1 98765432109876543',
    )
  })

  it('hides from each text what another assigned', () => {
    const { missing } = render(
      { messages: [text('{% assign a = 1 %}x'), text('{{ a }}')], subject: null },
      [],
      {},
    )
    expect(missing).toEqual(['a'])
  })

  it.each([
    ['an endless loop', '{% for i in (1..99999999) %}x{% endfor %}'],
    ['nested loops', '{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}'],
    ['a long text', '{% for i in (1..30000) %}x{% endfor %}'],
    [
      'padding',
      '{{ "x" | date: "%9999999Y" | append: "y" }}{% for i in (1..9) %}{{ "a" | times: i }}{% endfor %}{% include "x" %}',
    ],
    ['a file', '{% include "/etc/passwd" %}'],
    ['a partial', '{% render "/etc/passwd" %}'],
    ['a layout', '{% layout "/etc/passwd" %}'],
    ['the clock', '{{ "now" | date: "%Y" }}'],
    ['chance', '{{ "1,2" | split: "," | sample }}'],
    ['an unknown filter', '{{ "x" | shout }}'],
    ['no Liquid', '{{ x'],
  ])('rejects %s', (_, source) => {
    const { violations } = renderText(source)
    expect(violations).toMatchObject([{ path: 'messages[0].text.zh-TW', code: 'not_renderable' }])
  })

  it.each<[string, string, Record<string, string>]>([
    ['a chain of filters', `{{ a ${'| url_encode '.repeat(150)}}}`, { a: '<'.repeat(8_000) }],
    ['searching for a long text', "{{ a | replace: b, '' | size }}", everywhere],
    ['splitting at a long text', '{{ a | split: b | size }}', everywhere],
    ['asking whether a long text is in another', '{% if a contains b %}x{% endif %}', everywhere],
    ['a chain of conditions', `{% if a == "" ${'or a contains c '.repeat(1_000)}%}{% endif %}`, everywhere],
    ['keeping a text without end', `{% capture all %}${'{{ a }}'.repeat(200)}{% endcapture %}`, everywhere],
  ])('is not kept busy by %s', (_, source, values) => {
    const names = Object.keys(values).map(required)
    const { violations } = renderText(source, names, values)
    expect(violations).toMatchObject([{ code: 'not_renderable' }])
    expect(violations[0]!.message.en).toMatch(/more than the 5,000 steps|a search text may have at most/)
  })

  it.each(['constructor', '__proto__', 'toString', 'a.constructor', 'a.__proto__'])(
    'cannot reach %s',
    (name) => {
      const { missing, text } = renderText(`{{ ${name} }}`, [required('a')], { a: 'x' })
      expect(missing.length === 1 || text === '').toBe(true)
    },
  )

  it('keeps the offset a date was given with, wherever it runs', () => {
    const values = { at: '2026-12-01T09:30:00+08:00' }
    expect(renderText('{{ at | date: "%m/%d %H:%M" }}', [required('at')], values).text).toBe('12/01 09:30')
  })

  it('never throws, and is the same every time', () => {
    const pieces = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      'a',
      '|',
      'if ',
      'for ',
      'in ',
      '"',
      ' ',
      '.',
      '(1..9)',
    )
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 20 }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (parts, values) => {
          const source = parts.join('')
          const variables = [{ name: 'a', required: false }]
          expect(renderText(source, variables, values)).toEqual(renderText(source, variables, values))
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('the texts of one message', () => {
  const messages = (count: number, zh: string) => Array.from({ length: count }, () => text(zh))

  it('have a maximum length together after rendering', () => {
    const values = { x: 'x'.repeat(renderedLengthMax) }
    const count = limits.textLength / renderedLengthMax
    const violationsOf = (n: number) =>
      render({ messages: messages(n, '{{ x }}'), subject: null }, [required('x')], values).violations
    expect(violationsOf(count)).toEqual([])
    expect(violationsOf(count + 1)).toMatchObject([
      { path: `messages[${count}].text.zh-TW`, message: { en: expect.stringContaining('together') } },
    ])
  })

  it('share the steps of a message, and are not even parsed once these are used up', () => {
    const parse = vi.spyOn(Liquid.prototype, 'parse')
    const texts = Array.from({ length: 9 }, (_, n) =>
      text(`${n} ${'{% for i in (1..200) %}{{ i }}{% endfor %}'.repeat(3)}`),
    )
    const { violations } = render({ messages: texts, subject: null }, [], {})
    const parsed = parse.mock.calls.length
    parse.mockRestore()
    expect(violations[0]?.message).toEqual({
      'zh-TW': expect.stringMatching(/所需的步驟超過上限 5,000 步，到這裡已經用了 [\d,]+ 步/),
      en: expect.stringMatching(/more than the 5,000 steps .* [\d,]+ are used up to here/),
    })
    expect(violations.map(({ path }) => path)).toContain('messages[8].text.zh-TW')
    expect(parsed).toBeLessThan(texts.length)
  })
})

describe('the filter date', () => {
  const dateText = (at: unknown, filter = "date: '%Y-%m-%d %H:%M'") => {
    const { text, violations } = renderText(`{{ at | ${filter} }}`, [required('at')], { at })
    return violations[0]?.message.en ?? text
  }

  it.each([
    ['2026-12-05T02:00:00Z', '2026-12-05 10:00'],
    ['2026-12-05T02:00:00.123Z', '2026-12-05 10:00'],
    ['2026-12-05T20:00Z', '2026-12-06 04:00'],
    ['2026-12-05T02:00:00+00:00', '2026-12-05 10:00'],
    ['Sat, 05 Dec 2026 02:00:00 GMT', '2026-12-05 10:00'],
    [1_796_436_000, '2026-12-05 10:00'],
    ['1796436000', '2026-12-05 10:00'],
  ])('shows a moment that brings no clock by those of the unit: %j', (at, text) => {
    expect(dateText(at)).toBe(text)
  })

  it.each([
    ['2026-12-05T02:00:00+09:00', '2026-12-05 02:00'],
    ['2026-12-05T02:00:00-05:00', '2026-12-05 02:00'],
    ['2026-12-05T02:00:00', '2026-12-05 02:00'],
  ])('leaves another offset, or none, as it is: %j', (at, text) => {
    expect(dateText(at)).toBe(text)
  })

  it('shows a day as that day, and leaves a zone that the author names', () => {
    expect(dateText('2026-12-05', "date: '%Y-%m-%d'")).toBe('2026-12-05')
    expect(dateText('2026-12-05T02:00:00Z', "date: '%H:%M', 'America/New_York'")).toBe('21:00')
    expect(dateText('2026-12-05T02:00:00Z', "date: '%H:%M', -540")).toBe('11:00')
  })

  it.each([5, 20261205, '20261205', 202612051000, 1_796_436_000_000, -1, 0])(
    'refuses a number that is no plausible moment, by name: %j',
    (at) => {
      expect(dateText(at)).toContain(`the date filter cannot read ${at} as a moment`)
    },
  )
})
