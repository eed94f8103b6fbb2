import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clipTo, formatTable, padTo, widthOf } from '../../../src/cli/table.ts'

it('lines columns up under their headings, also where a character takes two columns', () => {
  const units = [
    { id: '1', name: '教務處', kind: 'ordinary' },
    { id: '22', name: 'Library', kind: 'administrative' },
  ]
  expect(
    formatTable(units, { id: ({ id }) => id, name: ({ name }) => name, 'the kind': ({ kind }) => kind }),
  ).toEqual(['ID  NAME     THE KIND', '1   教務處   ordinary', '22  Library  administrative'])
})

it('says that an empty list is empty, without headings', () => {
  expect(formatTable<string>([], { id: (id) => id })).toEqual(['None.'])
})

it('keeps a row in its line, whatever a cell contains', () => {
  expect(formatTable(['a\nNone.\r\n\tb'], { name: (name) => name })).toEqual(['NAME', 'a None. b'])
})

it('knows how wide a text is', () => {
  expect(['abc', '教務處', 'ｆｕｌｌ', '🎓', 'e\u0301', '𠀀'].map(widthOf)).toEqual([3, 6, 8, 2, 1, 2])
})

it('clips and fills to a width exactly, or one less where a wide character does not fit', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '教', '🎓', ' ') })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (input, width) => {
      const clipped = clipTo(input, width)
      expect(widthOf(clipped)).toBeLessThanOrEqual(width)
      if (widthOf(input) <= width) expect(clipped).toBe(input)
      else expect(widthOf(clipped)).toBeGreaterThanOrEqual(width - 1)
      expect(widthOf(padTo(clipped, width))).toBe(width)
    }),
  )
})
