import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CanonicalMessage } from '../../../src/contract/messages/content.ts'
import { contentViolations } from '../../../src/domain/content/content-check.ts'
import { withoutInvisible } from '../../../src/domain/content/invisible-text.ts'
import { type LightBlock, parseLight, plainOf } from '../../../src/domain/content/light.ts'
import { render } from '../../fixtures/speech.ts'

/** A lightly formatted text of a template with `x` in it, filled. */
function fill(template: string, x: unknown) {
  const messages: CanonicalMessage[] = [{ kind: 'text', format: 'light', text: { 'zh-TW': template } }]
  const variables = [{ name: 'x', required: false, default: '' }]
  const rendering = render({ messages, subject: null }, variables, { x })
  const [message] = rendering.messages
  if (message?.kind !== 'text') throw new Error('it is a text')
  return { ...rendering, blocks: parseLight(message.text['zh-TW']) }
}

/** The blocks with the letters of `x` in them as they are of a value that is one letter. */
function shapeOf(template: string, x: string): LightBlock[] {
  const put = (text: string) => text.replaceAll('甲', () => x)
  const filled = (one: unknown): unknown => {
    if (typeof one === 'string') return put(one)
    if (Array.isArray(one)) return one.map(filled)
    if (typeof one !== 'object' || one === null) return one
    const fields = Object.entries(one).map(([name, value]) => [name, name === 'kind' ? value : filled(value)])
    return Object.fromEntries(fields)
  }
  return withoutEmpty(filled(fill(template, '甲').blocks) as LightBlock[])
}

function withoutEmpty(blocks: readonly LightBlock[]): LightBlock[] {
  const kept = <Of extends { spans: { text: string }[] }>(of: Of) => ({
    ...of,
    spans: of.spans.filter(({ text }) => text !== ''),
  })
  return blocks.map((block) =>
    block.kind === 'list' ? { ...block, items: block.items.map(kept) } : kept(block),
  )
}

const hostile = [
  '[校務系統](https://evil.example/login)',
  '**重要**',
  '](https://evil.example)',
  '# 公告',
  '- 一\n- 二',
  '1. 一',
  '2027. 一',
  '\n\n# 公告\n\n',
  '\r\n- 一',
  '\\',
  '<a href="https://evil.example">a</a>',
  '(https://evil.example)',
  '  空白  ',
  '',
  '*',
  '&lt;b&gt;',
  '{{ x }}{% raw %}',
  '\u2028- 一',
]
const values = fc.oneof(
  fc.constantFrom(...hostile),
  fc
    .array(fc.constantFrom(...'[]()*_#-+.1\\<>!`~&{}%"\'\n \t', '甲乙', 'a', 'ש', 'é', '👩‍🏫'), {
      maxLength: 12,
    })
    .map((all) => all.join('')),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
/** A line end of a value is told as one; invisible characters are none of its letters. */
const lettersOf = (value: string) => withoutInvisible(value).replace(/\r\n?/g, '\n')

const templates = [
  '{{ x }}',
  '您好 {{ x }}，請**{{ x }}**看',
  '# {{ x }}\n\n{{ x }} 同學\n{{ x }}',
  '- {{ x }}\n- {{ x }}: {{ x }}',
  '1. {{ x }}\n2. 乙',
  '{{ x }}. 乙',
  '{{ x }}- 乙',
  '{{ x }}# 乙',
  '[{{ x }}](https://example.edu/)',
  '[乙]{{ x }}',
  '乙{% if x %}**{{ x }}**{% endif %}丙',
  '{% capture y %}{{ x }}{% endcapture %}{{ y }}',
  '{% assign y = x %}{{ y | append: x }}{% echo x %}',
]

describe('a value in a lightly formatted text', () => {
  it.each(templates)('is text, letter by letter, and changes nothing around it: %j', (template) => {
    fc.assert(
      fc.property(values, (value) => {
        // Liquid's own condition is about the value itself.
        fc.pre(!template.includes('{% if') || value !== '')
        expect(withoutEmpty(fill(template, value).blocks)).toEqual(shapeOf(template, lettersOf(value)))
      }),
      { examples: hostile.map((value) => [value]) },
    )
  })

  it.each([
    ['https://example.edu/a_b*c*(d)', 'https://example.edu/a_b*c*(d)'],
    ['https://example.edu/a b', 'https://example.edu/a%20b'],
    [' https://example.edu/ ', 'https://example.edu/'],
    [
      'https://example.edu/) [a](https://evil.example',
      'https://example.edu/)%20%5Ba%5D(https://evil.example',
    ],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ])('is the address of the link that the author made: %j', (value, url) => {
    expect(fill('請看[詳情]({{ x }})。', value).blocks).toEqual([
      { kind: 'paragraph', spans: [{ text: '請看' }, { text: '詳情', url }, { text: '。' }] },
    ])
    expect(fill('請看[詳情](<{{ x }}>)。', value).blocks).toEqual(fill('請看[詳情]({{ x }})。', value).blocks)
  })

  it('has no violation of its own, and that of an author stays', () => {
    const checked = (template: string, x: string) =>
      contentViolations({ messages: fill(template, x).messages, subject: null }).map(({ code }) => code)
    expect(checked('{{ x }}', '[a](https://b@c.example)\n')).toEqual([])
    expect(checked('[a]({{ x }})', 'https://bank.example@evil.example')).toEqual(['userinfo_in_link'])
    expect(checked('a\u202Eb {{ x }}', 'c')).toEqual(['invisible_character'])
    const message: CanonicalMessage = { kind: 'text', format: 'light', text: { 'zh-TW': 'a\u2061b' } }
    expect(contentViolations({ messages: [message], subject: null })).toMatchObject([
      { code: 'invisible_character' },
    ])
  })

  it('loses invisible characters, which is told; joiners and marks stay', () => {
    const { blocks, warnings } = fill('{{ x }}', 'a\u200Bb\u202Ec 👩‍🏫 می‌خواهم é')
    expect(plainOf(blocks)).toBe('abc 👩‍🏫 می‌خواهم é')
    expect(warnings).toMatchObject([{ path: 'variables.x', code: 'invisible_dropped' }])
    expect(fill('{{ x }}', '🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}').warnings).toEqual([])
  })

  it('that brings an address is named by its host, and one of the author is not', () => {
    const hosts = (template: string, x: string) =>
      fill(template, x).warnings.map(({ code, message }) => `${code} ${message.en}`)
    expect(hosts('[詳情]({{ x }})', 'https://other.example/a')).toEqual([
      'host_from_values The values of variables bring addresses on other.example. Check that they are right.',
    ])
    expect(hosts('{{ x }}', '見 www.other.example/a')).toHaveLength(1)
    expect(hosts('[詳情](https://example.edu/{{ x }})', 'a')).toEqual([])
    expect(hosts('[詳情](https://example.edu/) {{ x }}', 'https://example.edu/b')).toEqual([])
  })
})
