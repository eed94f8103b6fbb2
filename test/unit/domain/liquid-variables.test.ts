import fc from 'fast-check'
import { Liquid, Token } from 'liquidjs'
import { afterEach, expect, it, vi } from 'vitest'
import { globalsOf } from '../../../src/domain/content/liquid-variables.ts'

afterEach(() => vi.restoreAllMocks())

const engine = new Liquid()
const name = fc.constantFrom('a', 'b', 'c', 'i')
const path = fc
  .tuple(
    name,
    fc.array(
      fc.oneof(
        name.map((n) => `.${n}`),
        name.map((n) => `[${n}]`),
        fc.constant('[0]'),
      ),
    ),
  )
  .map(([root, rest]) => root + rest.join(''))
const value = fc.oneof(
  path,
  fc.constantFrom('"x"', '1', 'nil'),
  path.map((end) => `(1..${end})`),
)
const output = fc
  .tuple(value, value)
  .map(([one, other]) => `{{ ${one} | default: ${other}, allow_false: ${other} }}`)

const { text } = fc.letrec<{ text: string; part: string }>((tie) => ({
  text: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    output,
    fc.tuple(name, value).map(([to, from]) => `{% assign ${to} = ${from} %}`),
    fc.tuple(name, tie('text')).map(([to, inner]) => `{% capture ${to} %}${inner}{% endcapture %}`),
    fc
      .tuple(name, path, value, tie('text'))
      .map(
        ([i, of, n, inner]) => `{% for ${i} in ${of} limit: ${n} %}${inner}{% else %}${inner}{% endfor %}`,
      ),
    fc
      .tuple(value, value, tie('text'), tie('text'))
      .map(
        ([x, y, one, two]) => `{% if ${x} == ${y} %}${one}{% elsif ${y} %}${two}{% else %}${one}{% endif %}`,
      ),
    fc
      .tuple(value, value, tie('text'))
      .map(([x, y, one]) => `{% case ${x} %}{% when ${y} %}${one}{% else %}${one}{% endcase %}`),
    fc.tuple(value, value).map(([x, y]) => `{% cycle ${x}, ${y} %}`),
  ),
}))

it('the variables of a text are those that Liquid’s own analysis finds', () => {
  fc.assert(
    fc.property(text, (liquid) => {
      const parsed = engine.parse(liquid)
      expect(globalsOf(parsed).sort()).toEqual(engine.globalVariablesSync(parsed, { partials: false }).sort())
    }),
  )
})

it('a property of a literal is no variable', () => {
  expect(globalsOf(engine.parse('{{ "x".size }}{{ ["a b"].c }}'))).toEqual(['a b'])
})

it('no position is computed, which takes time that grows with the text before it', () => {
  const parsed = engine.parse('{{ a.b[c] | append: d }}{% for i in e %}{{ i }}{% endfor %}')
  const position = vi.spyOn(Token.prototype, 'getPosition')
  expect(globalsOf(parsed)).toEqual(['a', 'c', 'd', 'e'])
  expect(position).not.toHaveBeenCalled()
})
