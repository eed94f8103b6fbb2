import { describe, expect, it } from 'vitest'
import { invisibleIn } from '../../../src/domain/content/invisible-text.ts'

describe('an invisible character', () => {
  it.each([
    ['right-to-left override', 'invoice\u202Efdp.exe', 'U+202E'],
    ['isolate', 'a\u2066b', 'U+2066'],
    ['left-to-right mark', '\u200Ea', 'U+200E'],
    ['zero-width space', 'pay\u200Bpal', 'U+200B'],
    ['byte order mark', 'a\uFEFF', 'U+FEFF'],
    ['blank letter', '\u3164', 'U+3164'],
    ['tag', 'a\u{E0041}', 'U+E0041'],
    ['escape', '\u001b[31m', 'U+001B'],
    ['next line', 'a\u0085b', 'U+0085'],
  ])('is found: %s', (_what, text, character) => {
    expect(invisibleIn(text)).toBe(character)
  })

  it.each([
    ['lines and tabs', 'a\r\n\tb'],
    ['a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['a heart', '\u2764\uFE0F'],
    ['the flag of Wales', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}'],
    ['a word that may break', 'syl\u00ADlable'],
    ['Persian', 'می\u200Cخواهم'],
    ['Chinese with ideographic space', '您好\u3000同學'],
  ])('is not: %s', (_what, text) => {
    expect(invisibleIn(text)).toBeNull()
  })

  it('is found in linear time', () => {
    expect(invisibleIn(`${'\u{1F3F4}\u{E0067}\u{E007F}'.repeat(20_000)}\u202E`)).toBe('U+202E')
  })
})
