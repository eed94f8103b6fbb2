import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clip } from '../../../src/temporal/run-in-ui.ts'

describe('a summary for Temporal', () => {
  it('is unchanged if it fits', () => {
    expect(clip('grades from 教務處', 30)).toBe('grades from 教務處')
  })

  it('is cut between characters, never within one', () => {
    expect(clip('教務處教務處', 12)).toBe('教務處…')
    expect(clip('ab🎓🎓', 8)).toBe('ab…')
  })

  it('never exceeds the allowed bytes, nor ends in half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 200 }), (text, bytes) => {
        const clipped = clip(text, bytes)
        expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(Math.max(bytes, 3))
        expect(clipped.isWellFormed()).toBe(true)
        if (!text.includes('\uFFFD')) expect(clipped).not.toContain('\uFFFD')
      }),
    )
  })
})
