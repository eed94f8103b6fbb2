import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { TemplateVariable } from '../../../src/contract/templates/template.ts'
import { render } from '../../../src/domain/content/render.ts'
import {
  meterHere,
  NeedsThread,
  type RenderMeter,
  stepsOf,
} from '../../../src/domain/content/render-steps.ts'
import { someSteps } from '../../fixtures/speech.ts'

const words = Array.from({ length: 2_000 }, (_, n) => `word ${n}`)
const people = words.map((name) => ({ name, tags: words.slice(0, 3) }))
const values = { a: 'x', words, people, b: 'a'.repeat(20_000), at: '2026-12-01T09:30:00+08:00' }
const variables: TemplateVariable[] = Object.keys(values).map((name) => ({ name, required: true }))

function rendered(text: string, meter: RenderMeter = someSteps()) {
  const template = { messages: [{ kind: 'text' as const, text: { 'zh-TW': text } }], subject: null }
  const { violations } = render(template, { variables, values, timeZone: 'UTC' }, meter)
  return { steps: stepsOf(meter.used), fault: violations[0]?.message.en ?? null }
}

const loop = (times: number, body: string) => `{% for i in (1..${times}) %}${body}{% endfor %}`
const pieces = fc.constantFrom(
  ...['text ', '{{ a }}', '{{ i }}', '{% if i == 1 %}y{% else %}n{% endif %}', '{{ i | plus: 1 }}'],
  ...['{% assign c = i %}', '{{ a | append: "y" | upcase }}', '{% cycle "1", "2" %}'],
)

describe('the steps of a text', () => {
  it('grow with its characters and the rounds of its loops, and not faster', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 30 }),
        (parts, times) => {
          const body = parts.join('')
          const { steps } = rendered(`{% assign i = 0 %}${body}${loop(times, body)}`)
          // Texts that stand side by side are one part of the template.
          const nodes = parts.filter((part, index) => part !== 'text ' || parts[index - 1] !== part)
          expect(steps).toBeGreaterThanOrEqual(times * nodes.length)
          expect(steps).toBeLessThanOrEqual(3 + (times + 1) * body.length)
        },
      ),
    )
  })

  it('are the same however busy the machine is', () => {
    const text = `${loop(50, '{{ i }}{{ at | date: "%Y" }}')}{{ words | sort | join: "," }}`
    const idle = rendered(text)
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 60_000
      return now
    })
    const busy = rendered(text)
    clock.mockRestore()
    expect(busy).toEqual(idle)
    expect(idle.fault).toBeNull()
  })

  it.each([
    [
      'a list of two names for each entry',
      '{% for one in words limit: 150 %}{{ one }}, {{ one }}\n{% endfor %}',
    ],
    ['fifty dates', loop(50, '{{ at | date: "%-d %B %Y, %H:%M" }}')],
    [
      'a list that is chosen from, sorted and joined',
      '{{ people | where: "name", "word 7" | map: "name" | sort | join }}',
    ],
  ])('are far from the limit for %s', (_, text) => {
    const { steps, fault } = rendered(text)
    expect(fault).toBeNull()
    expect(steps).toBeLessThan(limits.renderSteps)
  })

  it.each([
    [
      'a list that is put into itself',
      `{% assign l = words %}${'{% assign l = l | push: l %}'.repeat(40)}{{ l | join }}`,
    ],
    ['a list that is compared with itself', loop(99_999, '{% if words == words %}{% endif %}')],
    [
      'lists that are compared for each entry',
      `{{ people${' | concat: people'.repeat(99)} | where: "tags", words }}`,
    ],
    ['what is written out though it is a list', loop(99_999, '{{ words }}')],
    ['a padded date', '{{ at | date: "%9999999Y" }}'],
    [
      'an expression for each entry',
      `{{ people | where_exp: "p", "${'p.name == 1 or '.repeat(900)} true" }}`,
    ],
    ['sorting again and again', loop(99_999, '{% assign s = people | sort: "name" %}')],
    ['a search in a long text', loop(99_999, '{% if b contains "ab" %}{% endif %}')],
    ['nothing but openings', '{{a}}'.repeat(4_000)],
  ])('end %s', (_, text) => {
    const { steps, fault } = rendered(text)
    expect(fault).toContain(`more than the ${limits.renderSteps.toLocaleString('en')} steps`)
    expect(steps).toBeLessThanOrEqual(limits.renderSteps)
  })

  it.each([
    ['blocks', '{% if a %}'.repeat(101) + '{% endif %}'.repeat(101)],
    ['lines of a liquid tag', `{% liquid\n${'if a\n'.repeat(101)}${'endif\n'.repeat(101)}%}`],
    ['brackets', `{{ ${'a['.repeat(101)}1${']'.repeat(101)} }}`],
  ])('are not counted for %s inside one another, of which there may be a hundred', (_, text) => {
    expect(rendered(text).fault).toContain('nested at most 100 deep')
  })
})

describe('on a thread that serves', () => {
  it.each([
    'hello',
    '{{ a }} {% if a == "x" %}yes{% endif %}',
    '{{ at | date: "%m/%d" }}',
    '{{ words.size }}',
  ])('%s is rendered in few steps', (text) => {
    expect(rendered(text, meterHere()).steps).toBeLessThan(limits.renderStepsHere)
  })

  it.each([
    loop(2, 'x'),
    '{{ words | sort | join }}',
    '{% assign b = a | append: a %}',
    '{{ b }}{{ b }}{{ b }}{{ b }}{{ b }}',
  ])('%s is not rendered', (text) => {
    expect(() => rendered(text, meterHere())).toThrow(NeedsThread)
  })
})
