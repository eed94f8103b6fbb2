import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginning, clip, cut, fitsGraphemes } from '../../../src/domain/content/graphemes.ts'

/** Each is one character to a reader. */
const clusters = ['a', '台', '😀', '👩‍🏫', '🇹🇼', 'é', '각', '👍🏽', 'नि', '\r\n']
const characters = fc.array(fc.constantFrom(...clusters), { maxLength: 12 })
const limit = fc.integer({ min: 1, max: 14 })

describe('a text is cut', () => {
  it('between grapheme clusters, whose number it keeps', () => {
    fc.assert(
      fc.property(characters, limit, (all, most) => {
        const text = all.join('')
        expect(fitsGraphemes(text, most)).toBe(all.length <= most)
        expect(clip(text, most)).toBe(all.length <= most ? text : `${all.slice(0, most).join('')}…`)
      }),
    )
  })

  it('between grapheme clusters, in so many code units', () => {
    fc.assert(
      fc.property(characters, limit, (all, units) => {
        const text = all.join('')
        const whole = all.reduce((kept, one) => {
          const isNext = text.startsWith(kept + one) && (kept + one).length <= units
          return isNext ? kept + one : kept
        }, '')
        expect(beginning(text, units).length).toBeLessThanOrEqual(units)
        expect(text.startsWith(beginning(text, units))).toBe(true)
        expect(whole.startsWith(beginning(text, units))).toBe(true)
        const result = cut(text, units)
        expect(result).toBe(text.length <= units ? text : `${beginning(text, units - 1)}…`)
        expect(result.isWellFormed()).toBe(true)
      }),
    )
  })
})
