import { expect, it } from 'vitest'
import { printable, printableJson } from '../../../src/cli/printable.ts'

/** Clears the screen in two spellings, rings, deletes and turns the line around. */
const hostile = 'a\u001b[2J\u009b2J\u0007\u007f\u202eb'

it('shows control characters and changes of direction instead of obeying them', () => {
  expect(printable(`${hostile}\n\tc`)).toBe('a\uFFFD[2J\uFFFD2J\uFFFD\uFFFD\uFFFDb\n\tc')
  expect(printable('教務處 🎓 e\u0301')).toBe('教務處 🎓 e\u0301')
})

it('writes JSON that says the same, without such a character', () => {
  const text = printableJson({ title: hostile })
  expect(JSON.parse(text)).toEqual({ title: hostile })
  expect(text).toBe(printable(text))
})
