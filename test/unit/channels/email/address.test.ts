import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mailAddress } from '../../../../src/channels/email/address.ts'

const label = 'a'.repeat(63)

describe('a valid mail address', () => {
  it.each([
    ['ann@example.edu', 'ann@example.edu'],
    ['ann.lee+tag@mail.example.edu', 'ann.lee+tag@mail.example.edu'],
    ['"ann lee"@example.edu', '"ann lee"@example.edu'],
    ['"ann@home"@example.edu', '"ann@home"@example.edu'],
    ['ann@例子.tw', 'ann@xn--fsqu00a.tw'],
    [`ann@${label}.edu`, `ann@${label}.edu`],
  ])('%s is kept, with its domain in ASCII', (text, address) => {
    expect(mailAddress(text)).toBe(address)
  })

  it.each([
    'ann',
    '@example.edu',
    'ann@',
    'ann@intranet',
    `ann@${label}a.edu`,
    'ann@-example.edu',
    'ann@example..edu',
    'ann@[127.0.0.1]',
    '"a@evil.example>"@b.example',
    '"a\\>b"@b.example',
    '"<"@b.example',
    'ann@example.edu\r\nBcc: all@example.edu',
    `${'a'.repeat(65)}@example.edu`,
  ])('%j is invalid', (text) => {
    expect(mailAddress(text)).toBeNull()
  })

  it('contains nothing that ends an envelope, whatever is in the quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 20 }), (text) => {
        expect(mailAddress(`"${text}"@example.edu`) ?? '').not.toMatch(/[\r\n<>]/)
      }),
    )
  })
})
