import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TrackLink } from '../../../src/channels/channel.ts'
import { compileChat } from '../../../src/channels/chat/compile.ts'
import { chatLinkSigner } from '../../../src/channels/chat/tracked-links.ts'
import { compileEmail } from '../../../src/channels/email/compile.ts'
import { sampleMail } from '../../../src/channels/email/sample.ts'
import { locales } from '../../../src/contract/enums.ts'
import type { CanonicalMessage } from '../../../src/contract/messages/content.ts'
import { clicksByLink } from '../../../src/domain/content/clicks.ts'
import { type LinkPosition, webLinksOf } from '../../../src/domain/content/web-link.ts'
import { contents } from './chat/arbitraries.ts'
import { contentOf } from './email/content.ts'

const base = 'https://hub.example.edu/l/'
const origin = { m: randomUUID() }
const { sign, verify } = chatLinkSigner(randomBytes(32))
const trackLink: TrackLink = (place) => `${base}${sign({ messageId: origin.m, ...place })}`

/** Where the frozen content says that a link leads. */
function opened(messages: readonly CanonicalMessage[], { n, o }: LinkPosition): string | undefined {
  return webLinksOf(messages[n]!).find((link) => link.o === o)?.url
}

const uri = /"uri":("(?:[^"\\]|\\.)*")/g

/** The addresses of all buttons of a compiled chat content, in order. */
function urisIn(compiled: unknown): string[] {
  return [...JSON.stringify(compiled).matchAll(uri)].map(([, address]) => JSON.parse(address!))
}

/** All the rest of it. */
function withoutUris(compiled: unknown): string {
  return JSON.stringify(compiled).replaceAll(uri, '')
}

describe('any content with tracked links', () => {
  it('opens in the chat exactly what it would open directly, and is the same but for its links', () => {
    let followed = 0
    fc.assert(
      fc.property(contents, fc.constantFrom(...locales), (messages, locale) => {
        const direct = compileChat({ messages, wave: 'only' }, origin)
        const tracked = compileChat({ messages, wave: 'only', trackLink }, origin)
        const [before, after] = [direct, tracked].map((one) => urisIn(one.locales[locale]))
        const originals = after!.map((uri) => {
          if (!uri.startsWith(base)) return uri
          followed += 1
          const { messageId, ...place } = verify(uri.slice(base.length))!
          expect([messageId, place.locale]).toEqual([origin.m, locale])
          return opened(messages, place)
        })
        expect(originals).toEqual(before)
        expect(after!.filter((uri) => /^https?:/.test(uri) && !uri.startsWith(base))).toEqual([])
        expect(withoutUris(tracked.locales[locale])).toBe(withoutUris(direct.locales[locale]))
      }),
      { numRuns: 500 }, // few contents have links
    )
    expect(followed).toBeGreaterThan(20) // so that the property is not vacuous
  })

  it('opens in a mail exactly what it would open directly, and is the same but for its links', () => {
    fc.assert(
      fc.property(contents, fc.constantFrom(...locales), (messages, locale) => {
        const [[direct]] = compileEmail(contentOf(messages)).locales[locale].parts
        const [[tracked]] = compileEmail(contentOf(messages, { trackLink })).locales[locale].parts
        expect(sampleMail(tracked, 'https://hub.example.edu')).toEqual(
          sampleMail(direct, 'https://hub.example.edu'),
        )
        for (const piece of [...tracked.html, ...tracked.text]) {
          if (typeof piece === 'string' || piece.purpose !== 'open') continue
          expect(piece.url).toBe(opened(messages, piece))
          expect(piece.locale).toBe(locale)
        }
      }),
    )
  })

  it('has one count for each web link, and none for anything else', () => {
    fc.assert(
      fc.property(contents, (messages) => {
        const links = messages.flatMap((message) => webLinksOf(message))
        const clicks = clicksByLink(messages, [], ['chat'])
        expect(Object.keys(clicks)).toHaveLength(links.length)
        expect(links.every(({ url }) => /^https?:\/\/./.test(url))).toBe(true)
      }),
    )
  })
})
