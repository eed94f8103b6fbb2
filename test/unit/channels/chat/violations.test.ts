import { describe, expect, it } from 'vitest'
import { compileChat } from '../../../../src/channels/chat/compile.ts'
import type { CanonicalMessage, CardMessage } from '../../../../src/contract/messages/content.ts'

const label = { 'zh-TW': '好' }
const long = (characters: number) => '字'.repeat(characters)

/** The violations of a content as `path code limit`. */
function violations(...messages: CanonicalMessage[]): string[] {
  const faults = compileChat({ messages, wave: 'only' }, { m: 'id' }).violations
  return faults.map(({ path, code, limit }) =>
    [path, code, limit].filter((part) => part !== undefined).join(' '),
  )
}

describe('a violation', () => {
  it('names the text that is too long, in its own language only', () => {
    const text = { 'zh-TW': '好', en: long(5_001) }
    expect(violations({ kind: 'text', text })).toEqual(['messages[0].text.en too_long 5000'])
  })

  it('is named once where English falls back to zh-TW', () => {
    expect(violations({ kind: 'text', text: { 'zh-TW': long(5_001) } })).toEqual([
      'messages[0].text.zh-TW too_long 5000',
    ])
  })

  it('finds the path of an action in a carousel', () => {
    const card: CardMessage = {
      kind: 'card',
      title: label,
      actions: [
        { kind: 'uri', label, url: 'https://example.com' },
        { kind: 'mute', label: { 'zh-TW': '好', en: long(41) }, categoryId: 'c' },
      ],
    }
    expect(violations({ kind: 'text', text: label }, { kind: 'carousel', cards: [card] })).toEqual([
      'messages[1].cards[0].actions[1].label.en too_long 40',
    ])
  })

  it('tells the author in both languages what to change', () => {
    const [violation] = compileChat(
      { messages: [{ kind: 'text', text: { 'zh-TW': long(5_001) } }], wave: 'only' },
      { m: 'id' },
    ).violations
    expect(violation?.message).toEqual({
      'zh-TW': '請縮短至 5000 個字以內。',
      en: 'Shorten this to at most 5000 characters.',
    })
  })
})

describe('the provider rejects', () => {
  const option = { id: 'a', label: { 'zh-TW': long(21) } }

  it('a quick reply label above 20 characters, although a bubble allows 40', () => {
    const quickReply: CanonicalMessage = { kind: 'quickReply', text: label, options: [option] }
    expect(violations(quickReply)).toEqual(['messages[0].options[0].label.zh-TW too_long 20'])
    expect(violations(quickReply, { kind: 'text', text: label })).toEqual([])
  })

  it('an image over plain HTTP or under a long address', () => {
    const address = `https://example.com/${'a'.repeat(2_000)}`
    const image = { kind: 'image', alt: label, url: 'http://example.com/a.png', previewUrl: address } as const
    expect(violations(image)).toEqual([
      'messages[0].url https_required',
      'messages[0].previewUrl too_long 2000',
    ])
  })

  it('a link that its app does not open', () => {
    const open = (url: string): CanonicalMessage => ({
      kind: 'buttons',
      text: label,
      actions: [{ kind: 'uri', label, url }],
    })
    expect(violations(open('javascript:alert(1)'))).toEqual(['messages[0].actions[0].url unsupported_link'])
    expect(violations(open(`https://example.com/${'a'.repeat(1_000)}`))).toEqual([
      'messages[0].actions[0].url too_long 1000',
    ])
    expect(violations(open('tel:+886212345678'), open('line://ti/p/@carillon'))).toEqual([])
  })

  it('a bubble above 30 KB or a carousel above 50 KB', () => {
    const card = (characters: number): CardMessage => ({
      kind: 'card',
      title: label,
      body: { 'zh-TW': long(characters) },
      actions: [],
    })
    expect(violations(card(9_000), card(10_000))).toEqual(['messages[1] too_large 30000'])
    expect(violations({ kind: 'carousel', cards: [card(9_000), card(9_000)] })).toEqual([
      'messages[0].cards too_large 50000',
    ])
  })

  it('white space, half characters, or a sticker without numbers and words', () => {
    expect(violations({ kind: 'text', text: { 'zh-TW': ' \n' } })).toEqual(['messages[0].text.zh-TW blank'])
    expect(violations({ kind: 'text', text: { 'zh-TW': 'a\ud83d' } })).toEqual([
      'messages[0].text.zh-TW broken_text',
    ])
    expect(violations({ kind: 'sticker', packageId: 'a', stickerId: '1' })).toEqual([
      'messages[0] unknown_sticker',
    ])
  })
})
