import { describe, expect, it } from 'vitest'
import { namesIn } from '../../../src/domain/content/text-names.ts'

const namesOf = (text: string) => {
  const { read, printed, tested, defined } = namesIn(text)
  return { read, printed, tested: [...tested], defined: [...defined] }
}

describe('the names in a text', () => {
  it('are read with their fields, and printed unless a filter gives a default', () => {
    expect(
      namesOf('{{ person.displayName }}，{{ day | default: other }} {{- size | append: "x.y" -}}'),
    ).toEqual({
      ...{ read: ['person.displayName', 'day', 'other', 'size'], printed: ['person.displayName', 'size'] },
      ...{ tested: [], defined: [] },
    })
  })

  it('are tested by tags, and defined by some', () => {
    const text =
      '{% assign total = price | times: count %}{% for seat in seats %}{{ seat }}{% endfor %}' +
      '{% if vip and total > 3 %}'
    expect(namesOf(text)).toEqual({
      read: ['price', 'count', 'seats', 'seat', 'vip', 'total'],
      printed: ['seat'],
      tested: ['price', 'count', 'seats', 'vip', 'total'],
      defined: ['total', 'seat'],
    })
  })

  it('are none in quotes, comments and raw blocks, nor where a text ends too early', () => {
    const text = `{{ 'name' }}{% comment %}{{ a }}{% endcomment %}{% raw %}{{ b }}{% endraw %}{{ c`
    expect(namesOf(text)).toEqual({ read: [], printed: [], tested: [], defined: [] })
  })
})
