import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileEmail } from '../../../../src/channels/email/compile.ts'
import { contents } from '../chat/arbitraries.ts'
import { contentOf, flat, unitOf } from './content.ts'

const nasty = fc.constantFrom(
  '<script>',
  '</style>',
  '"><img src=x onerror=y>',
  "' onload='",
  '<!--',
  ']]>',
  '&lt;',
)

describe('anything a producer writes', () => {
  it('adds no tag and no attribute to the mail', () => {
    const harmless = structureOf('harmless')
    fc.assert(
      fc.property(nasty, (words) => {
        expect(structureOf(words)).toEqual(harmless)
      }),
    )
  })

  it('compiles, or is reported, and never throws', () => {
    fc.assert(
      fc.property(contents, fc.string(), (messages, unit) => {
        const wave = { at: new Date(0), timeZone: 'Asia/Taipei' }
        const { locales } = compileEmail(contentOf(messages, { unit: unitOf(unit), wave }))
        expect(flat(locales.en.parts[0]![0]!.html)).toMatch(/<\/html>\n$/)
      }),
    )
  })
})

/** The tags of a mail that has `words` in every place, with attributes' values left out. */
function structureOf(words: string): string[] {
  const text = { 'zh-TW': words }
  const choices = [{ kind: 'postback', label: text, data: { v: 1 } }] as const
  const { locales } = compileEmail({
    ...contentOf([
      { kind: 'text', text },
      { kind: 'image', url: 'https://example.com/a.png', alt: text },
      { kind: 'sticker', packageId: '1', stickerId: '1', fallbackText: text },
      { kind: 'card', header: text, title: text, body: text, lockedReason: text, actions: [...choices] },
      { kind: 'buttons', text, actions: [...choices] },
      { kind: 'quickReply', text, options: [{ id: 'a', label: text }] },
    ]),
    subject: text,
    unit: unitOf(words),
    category: text,
  })
  const page = flat(locales['zh-TW'].parts[0]![0]!.html)
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, ''))
}
