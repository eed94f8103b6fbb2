import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { quotedPrintable, type SlottedText } from '../../../../src/channels/email/quoted-printable.ts'

/** Decodes by RFC 2045, 6.7, independently of the encoder. */
function decode(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

const slot = fc.record({ slot: fc.nat(9), length: fc.constant(75) })
const words = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.constantFrom(' ', '  \n', '\t', '=', '.\n', 'a '),
)
const pieces: fc.Arbitrary<SlottedText<number>> = fc.array(fc.oneof({ weight: 5, arbitrary: words }, slot))

describe('quoted-printable', () => {
  it('can be read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', size: 'large' }), (text) => {
        const source = text.replaceAll('\r', '')
        const read = decode(quotedPrintable([source]).text).replaceAll('\r\n', '\n')
        expect(read).toBe(source.endsWith('\n') ? source : `${source}\n`)
      }),
    )
  })

  it('has lines of at most 76 characters, and is its own relaxed form', () => {
    fc.assert(
      fc.property(pieces, (all) => {
        const { text } = quotedPrintable(all)
        expect(text).toMatch(/^[\x20-\x7e\r\n]*\r\n$/)
        for (const line of text.slice(0, -2).split('\r\n')) {
          expect(line.length).toBeLessThanOrEqual(76)
          expect(line).not.toMatch(/[ \t]{2}|[ \t]$|[\r\n]/)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('keeps each slot whole, at the returned offset', () => {
    fc.assert(
      fc.property(pieces, (all) => {
        const { text, slots } = quotedPrintable(all)
        expect(slots.map((one) => one.slot)).toEqual(
          all.flatMap((one) => (typeof one === 'string' ? [] : [one.slot])),
        )
        for (const { offset } of slots) expect(text.slice(offset, offset + 75)).toBe('x'.repeat(75))
      }),
    )
  })
})

it('looks at each character once, however many spaces a text has', () => {
  const endsWith = String.prototype.endsWith
  let looked = 0
  const spy = vi.spyOn(String.prototype, 'endsWith').mockImplementation(function (this: string, end: string) {
    // A text that is still growing is put together for this, from its beginning.
    looked += this.length
    return endsWith.call(this, end)
  })
  onTestFinished(() => spy.mockRestore())
  const { text } = quotedPrintable([' a'.repeat(2_000)])
  expect(looked).toBeLessThanOrEqual(text.length)
})
