import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChatLink, chatLinkSigner } from '../../../../src/channels/chat/tracked-links.ts'
import { linkSigner } from '../../../../src/channels/email/links.ts'

const key = randomBytes(32)
const { sign, verify } = chatLinkSigner(key)

const link: fc.Arbitrary<ChatLink> = fc.record({
  messageId: fc.uuid(),
  n: fc.nat(999),
  o: fc.oneof(
    fc.nat(12).map(String),
    fc.tuple(fc.nat(9), fc.nat(2)).map(([card, action]) => `${card}.${action}`),
  ),
  locale: fc.constantFrom('zh-TW', 'en'),
})
const one: ChatLink = { messageId: randomUUID(), n: 3, o: '2.1', locale: 'en' }

describe('the token of a tracked link in the chat', () => {
  it('returns exactly what was signed, in 52 characters', () => {
    fc.assert(
      fc.property(link, (wanted) => {
        const token = sign(wanted)
        expect(token).toMatch(/^[\w-]{52}$/)
        expect(verify(token)).toEqual(wanted)
      }),
    )
  })

  it('is the same whenever it is signed, so that one message has one form', () => {
    expect(chatLinkSigner(key).sign(one)).toBe(sign(one))
  })

  it('is invalid once any letter of it is changed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const letters = fc.constantFrom(...alphabet, '=', '+', '/', ' ', '\n', 'é')
    fc.assert(
      fc.property(link, fc.nat(51), letters, (wanted, position, letter) => {
        const token = sign(wanted)
        fc.pre(token[position] !== letter)
        expect(verify(token.slice(0, position) + letter + token.slice(position + 1))).toBeNull()
      }),
      { numRuns: 2_000 },
    )
  })

  it('is not found in any other text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => verify(text) === null))
    const token = sign(one)
    for (const text of ['', token.slice(1), `${token}A`, `${token}=`, `A${token}`, token.repeat(50)])
      expect(verify(text)).toBeNull()
  })

  it('is valid under an accepted key, which signs nothing, and under no other', () => {
    const [old, now] = [randomBytes(32), randomBytes(32)]
    const during = chatLinkSigner(now, [old])
    expect(during.verify(chatLinkSigner(old).sign(one))).toEqual(one)
    expect(chatLinkSigner(now).verify(during.sign(one))).toEqual(one)
    expect(chatLinkSigner(old).verify(during.sign(one))).toBeNull()
  })

  it('is no link of a mail, which is no link in the chat', () => {
    const mails = linkSigner(key)
    const [waveId, subjectId] = [randomUUID(), randomUUID()]
    const [token] = mails.sign({ waveId, subjectId }, [{ purpose: 'open', n: 0, o: '0', locale: 'en' }])
    expect([verify(token!), mails.verify(sign(one))]).toEqual([null, null])
  })
})
