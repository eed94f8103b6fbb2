import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mailAddress } from '../../../src/channels/email/address.ts'
import { addressIdentity } from '../../../src/domain/address-identity.ts'

const letters = 'abcXYZ019._+-'
const local = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })
  .filter((text) => !/^\.|\.\.|\.$/.test(text))
/** Any of the ways to write the same local part: other case, in quotes, with backslashes. */
const spellings = local.chain((plain) =>
  fc.record({
    plain: fc.constant(plain),
    upper: fc.boolean(),
    quoted: fc.boolean(),
    escaped: fc.uniqueArray(fc.nat(plain.length - 1)),
  }),
)

describe('the identity of an e-mail address', () => {
  it('is the same for all its spellings, and is bound in the same form but for its case', () => {
    fc.assert(
      fc.property(spellings, ({ plain, upper, quoted, escaped }) => {
        const cased = upper ? plain.toUpperCase() : plain
        const inside = [...cased].map((one, place) => (escaped.includes(place) ? `\\${one}` : one)).join('')
        const spelling = `${quoted ? `"${inside}"` : cased}@Example.edu`
        const identity = `${plain}@example.edu`.toLowerCase()
        expect(addressIdentity('email', spelling)).toBe(identity)
        expect(mailAddress(spelling)).toBe(`${cased}@example.edu`)
      }),
    )
  })

  it.each([
    ['"Ann Lee"@example.edu', '"ann lee"@example.edu'],
    ['"a\\"b\\\\c"@example.edu', '"a\\"b\\\\c"@example.edu'],
    ['"a@b"@example.edu', '"a@b"@example.edu'],
    ['ann+news@example.edu', 'ann+news@example.edu'],
    ['no address', 'no address'],
    ['', ''],
  ])('of %s is %s', (spelling, identity) => {
    expect(addressIdentity('email', spelling)).toBe(identity)
  })
})

it('a chat address has one spelling', () => {
  expect(addressIdentity('chat', 'Uab')).toBe('Uab')
})
