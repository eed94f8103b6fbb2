import { createCipheriv, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secretBox } from '../../../src/services/secret-box.ts'

const [old, now] = [randomBytes(32), randomBytes(32)]
const during = secretBox(now, [old])

describe('a sealed secret', () => {
  it('opens with the key that sealed it, in its own context, unchanged', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (secret, context, place) => {
        const sealed = secretBox(old).seal(secret, context)
        for (const box of [secretBox(old), during]) expect(box.open(sealed, context)).toBe(secret)
        expect(() => during.open(sealed, `${context}!`)).toThrow()
        expect(() => secretBox(now).open(sealed, context)).toThrow()
        // a changed key id only makes every key be tried
        const changed = Buffer.from(sealed)
        changed[3 + (place % (sealed.length - 3))]! ^= 1
        expect(() => during.open(changed, context)).toThrow()
      }),
    )
  })

  it('names its key, so that what is not sealed with the current one is found', () => {
    const [before, after] = [secretBox(old).seal('a', 'b'), during.seal('a', 'b')]
    expect([during.isCurrent(before), during.isCurrent(after)]).toEqual([false, true])
    expect(secretBox(now).open(after, 'b')).toBe('a')
  })

  it('opens as it was sealed before secrets named their key: nonce, tag, ciphertext', () => {
    const iv = randomBytes(12)
    const sealing = createCipheriv('aes-256-gcm', old, iv).setAAD(Buffer.from('context'))
    const text = Buffer.concat([sealing.update('secret'), sealing.final()])
    const sealed = Buffer.concat([iv, sealing.getAuthTag(), text])
    for (const box of [secretBox(old), during]) {
      expect(box.open(sealed, 'context')).toBe('secret')
      expect(box.isCurrent(sealed)).toBe(false)
    }
  })
})
