import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { render } from '../../../../src/domain/content/render.ts'
import { meterHere } from '../../../../src/domain/content/render-steps.ts'
import { isPublic, isPublicText } from '../../../../src/domain/scenario/public-text.ts'

describe('a text on a page behind a link', () => {
  it.each([
    '',
    '請選擇 {{ pattern.deadline | date: "%Y/%m/%d %H:%M" }}',
    'Places left: {{ pattern.left }} of {{ pattern.capacity }}',
    '{% if pattern.status == "full" %}full{% else %}open{% endif %}',
    '{{ "plain" | append: "er" }}',
  ])('may say %j', (text) => expect(isPublicText(text)).toBe(true))

  it.each([
    '{{ person.displayName }}',
    '{{person.stage}}',
    '{{ subject }}',
    '{{ answers.attend }}',
    '{{ answers["attend"] }}',
    '{{ ["person"].displayName }}',
    '{{ pattern["registration"] }}',
    '{{ lookup_error }}',
    '{{ orderNumber }}',
    '{{ pattern.registration }}',
    '{{ pattern.calendar }}',
    '{{ pattern }}',
    '{{ pattern.left | plus: points }}',
    '{{ "Dear " | append: person.displayName }}',
    '{% if person.stage == "member" %}a{% endif %}',
    '{% case answers.attend %}{% when "yes" %}a{% endcase %}',
    '{% assign name = person.displayName %}{{ name }}',
    '{% for one in orders %}{{ one }}{% endfor %}',
    "{% liquid assign x = 'a' | upcase\n echo person.displayName %}",
    '{%- if wish -%}a{%- endif -%}',
    '{% raw %}{{ pattern.left }}{% endraw %}',
    '{{ person.displayName',
    'half {% if',
  ])('may not say %j', (text) => expect(isPublicText(text)).toBe(false))
})

const names = [
  'person.displayName',
  'person["stage"]',
  'subject',
  'answers.ask',
  'order',
  'pattern.registration',
  'pattern.left',
  'pattern.status',
  '"text"',
  '3',
]
const name = fc.constantFrom(...names)
const filter = fc.constantFrom(
  '',
  ' | upcase',
  ' | append: "x"',
  ' | append: order',
  ' | default: person.displayName',
  ' | plus: 1',
)
const output = fc.tuple(name, filter).map(([value, by]) => `{{ ${value}${by} }}`)
const part = fc.oneof(
  output,
  fc.constantFrom('plain', '席', '{% assign order = "a" %}', '{% comment %}{{ order }}{% endcomment %}'),
  fc.tuple(name, output).map(([value, inside]) => `{% if ${value} %}${inside}{% else %}no{% endif %}`),
)
const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))
const personal = fc.record({
  person: fc.record({ displayName: fc.string(), stage: fc.constantFrom('lead', 'member') }),
  subject: fc.uuid(),
  answers: fc.record({ ask: fc.string() }),
  order: fc.string(),
})
const variables = ['person', 'subject', 'answers', 'order', 'pattern'].map((one) => ({
  name: one,
  required: false,
}))

function readBy(words: string, values: Record<string, unknown>, registration: string): string {
  const pattern = { status: 'open', left: 3, registration }
  const template = { messages: [{ kind: 'text' as const, text: { 'zh-TW': words } }], subject: null }
  const { messages, unfilled, violations } = render(
    template,
    { variables, values: { ...values, pattern }, timeZone: 'UTC' },
    meterHere(),
  )
  return JSON.stringify([messages, unfilled, violations])
}

it('a text that may stand on a page reads the same, whoever it was written to', () => {
  fc.assert(
    fc.property(text, personal, personal, (words, one, other) => {
      const node = {
        id: 'a',
        kind: 'message' as const,
        messages: [{ kind: 'text' as const, text: { 'zh-TW': words } }],
      }
      fc.pre(isPublic({ nodes: [node] }, [{ node: 'a' }]))
      expect(readBy(words, one, 'registered')).toBe(readBy(words, other, 'none'))
    }),
    { numRuns: 500 },
  )
})
