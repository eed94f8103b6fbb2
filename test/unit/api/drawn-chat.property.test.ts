import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawChat } from '../../../src/api/console/preview/chat.ts'
import { compileChat } from '../../../src/channels/chat/compile.ts'
import type { ChatMessage } from '../../../src/channels/chat/wire.ts'
import { locales } from '../../../src/contract/enums.ts'
import { escapeHtml } from '../../../src/html/markup.ts'
import { contents } from '../channels/chat/arbitraries.ts'

const drawing = { reader: 'en', pictures: null } as const
const origin = { m: '0190f7c2-1111-7000-8000-000000000001' }

describe('a drawn chat', () => {
  it('holds every string that the provider shows, in the order in which it is sent', () => {
    fc.assert(
      fc.property(contents, fc.constantFrom(...locales), (messages, locale) => {
        const calls = compileChat({ messages, wave: 'only' }, origin).locales[locale]!.parts
        const page = drawChat(drawing, calls).pieces.join('')
        let from = 0
        for (const text of calls.flat().flatMap(shownBy)) {
          const at = page.indexOf(escapeHtml(text), from)
          expect(at, text).toBeGreaterThanOrEqual(from)
          from = at
        }
      }),
    )
  })

  it('says where a push ends, since each costs one', () => {
    const text: ChatMessage = { type: 'text', text: 'hello' }
    const page = drawChat(drawing, [[text], [text], [text]]).pieces.join('')
    expect(page.match(/Push \d/g)).toEqual(['Push 2', 'Push 3'])
  })

  it('loads own pictures from the host of the page, and no others', () => {
    const own = 'https://hub.example.edu/media/'
    const picture = (url: string): ChatMessage => ({
      type: 'image',
      originalContentUrl: url,
      previewImageUrl: url,
    })
    const [mine, theirs] = [`${own}${'a'.repeat(22)}-preview.jpg`, 'https://elsewhere.example/x.png']
    const page = drawChat({ reader: 'en', pictures: own }, [[picture(mine), picture(theirs)]]).pieces.join('')
    expect([...page.matchAll(/src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
      `/media/${'a'.repeat(22)}-preview.jpg`,
    ])
    expect(page).toContain(theirs)
  })
})

/** What a phone shows of a message; addresses and postback data stay behind the buttons. */
function shownBy(message: ChatMessage): string[] {
  const choices = message.quickReply?.items.map(({ action }) => action.label) ?? []
  switch (message.type) {
    case 'text':
      return [message.text, ...choices]
    case 'template':
      return [message.template.text, ...message.template.actions.map(({ label }) => label), ...choices]
    case 'flex': {
      const { contents } = message
      const bubbles = contents.type === 'bubble' ? [contents] : contents.contents
      const words = bubbles.flatMap(({ body, footer }) => [
        ...body.contents.map(({ text }) => text),
        ...(footer?.contents ?? []).map(({ action }) => action.label),
      ])
      return [...words, ...choices]
    }
    default:
      return choices
  }
}
