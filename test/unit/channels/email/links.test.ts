import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkSigner, tokenLength } from '../../../../src/channels/email/links.ts'
import type { LinkTarget } from '../../../../src/channels/email/wire.ts'

const key = randomBytes(32)
const { sign, verify } = linkSigner(key)
const person = () => ({ waveId: randomUUID(), subjectId: randomUUID() })

const place = {
  n: fc.nat(999),
  o: fc.oneof(
    fc.nat(12).map(String),
    fc.tuple(fc.nat(9), fc.nat(2)).map(([card, action]) => `${card}.${action}`),
  ),
}
const target: fc.Arbitrary<LinkTarget> = fc.oneof(
  fc.constantFrom<LinkTarget>(
    { purpose: 'do_not_remind' },
    { purpose: 'unsubscribe' },
    { purpose: 'preferences' },
  ),
  fc.record({ purpose: fc.constantFrom('tap' as const, 'mute' as const), ...place }),
  fc.record({
    purpose: fc.constant('open' as const),
    ...place,
    locale: fc.constantFrom('zh-TW' as const, 'en' as const),
  }),
)

describe('a signed link', () => {
  it('returns exactly what was signed', () => {
    fc.assert(
      fc.property(target, (wanted) => {
        const who = person()
        const [token] = sign(who, [wanted])
        expect(verify(token!)).toEqual({ ...who, target: wanted })
      }),
    )
  })

  it('is invalid once any letter of it is changed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    fc.assert(
      fc.property(
        target,
        fc.nat(tokenLength - 1),
        fc.constantFrom(...alphabet, '=', '+', '/', ' ', '\n', 'é'),
        (wanted, position, letter) => {
          const token = sign(person(), [wanted])[0]!
          fc.pre(token[position] !== letter)
          expect(verify(token.slice(0, position) + letter + token.slice(position + 1))).toBeNull()
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('is not found in any other text', () => {
    const isNone = (text: string) => verify(text) === null
    fc.assert(fc.property(fc.string({ maxLength: 100 }), isNone))
    const token = sign(person(), [{ purpose: 'unsubscribe' }])[0]!
    for (const text of ['', token.slice(1), `${token}A`, `${token}=`, `A${token}`])
      expect(verify(text)).toBeNull()
  })

  it('is invalid under another key', () => {
    const [token] = sign(person(), [{ purpose: 'unsubscribe' }])
    expect(linkSigner(randomBytes(32)).verify(token!)).toBeNull()
  })

  it('is valid under an accepted key, which signs nothing', () => {
    const [old, now, unknown] = [randomBytes(32), randomBytes(32), randomBytes(32)]
    const [who, wanted] = [person(), { purpose: 'unsubscribe' } as const]
    const during = linkSigner(now, [unknown, old])
    expect(during.verify(linkSigner(old).sign(who, [wanted])[0]!)).toEqual({ ...who, target: wanted })
    const [token] = during.sign(who, [wanted])
    expect(linkSigner(now).verify(token!)).toEqual({ ...who, target: wanted })
    expect(linkSigner(old, [unknown]).verify(token!)).toBeNull()
  })

  it('is for one person, one wave and one action', () => {
    const [ann, bob] = [person(), person()]
    const targets: LinkTarget[] = [
      { purpose: 'unsubscribe' },
      { purpose: 'tap', n: 0, o: '0' },
      { purpose: 'tap', n: 0, o: '0.0' },
    ]
    const tokens = [...sign(ann, targets), ...sign(bob, targets)]
    expect(new Set(tokens.map((token) => token.slice(-20))).size).toBe(tokens.length)
    expect(tokens.every(({ length }) => length === tokenLength)).toBe(true)
  })

  it('contains the first 128 bits of the standard HMAC-SHA256', () => {
    for (const bytes of [16, 32, 64, 65, 200]) {
      const other = randomBytes(bytes)
      const token = Buffer.from(
        linkSigner(other).sign(person(), [{ purpose: 'tap', n: 3, o: '2.1' }])[0]!,
        'base64url',
      )
      const signature = createHmac('sha256', other).update(token.subarray(0, 40)).digest().subarray(0, 16)
      expect(token.subarray(40)).toEqual(signature)
    }
  })
})
