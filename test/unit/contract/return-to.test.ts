import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ReturnTo } from '../../../src/contract/identity/sign-in.ts'

const ours = 'https://hub.example.edu'

/** Where a browser goes that is redirected to this text. */
const landsAt = (text: string) => new URL(text, `${ours}/v1/auth/callback`).origin

it.each(['/', '/messages', '/messages/1?tab=2#top', '/登入', '/a//b', '/a/..//b'])('accepts %s', (path) => {
  expect(ReturnTo.safeParse(path).success).toBe(true)
  expect(landsAt(path)).toBe(ours)
})

it('rejects everything that leads to another host, however it is spelt', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '\t',
    '\n',
    '\r',
    ' ',
    '.',
    '@',
    ':',
    '//',
    'evil.example',
    'https:',
    '%2f',
    '\u0000',
    '\u3002',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('')
      if (ReturnTo.safeParse(text).success) expect(landsAt(text)).toBe(ours)
    }),
    { numRuns: 5_000 },
  )
})
