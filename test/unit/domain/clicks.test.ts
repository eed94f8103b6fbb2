import { describe, expect, it } from 'vitest'
import type { CanonicalMessage } from '../../../src/contract/messages/content.ts'
import { type ClickCount, clicksByLink } from '../../../src/domain/content/clicks.ts'

const label = { 'zh-TW': '網站' }
const web = { kind: 'uri', label, url: 'https://example.edu' } as const
const phone = { kind: 'uri', label, url: 'tel:119' } as const
const content: CanonicalMessage[] = [
  { kind: 'buttons', text: label, actions: [phone, web] },
  { kind: 'carousel', cards: [{ kind: 'card', title: label, actions: [web] }] },
]
const chat: ClickCount = { n: 0, o: '1', channel: 'chat', locale: 'en', clicks: 5, people: 0 }
const none = { total: 0, byChannel: { chat: 0, email: 0 }, byLocale: { 'zh-TW': 0, en: 0 }, people: 0 }

describe('the clicks of a message', () => {
  it('are told of each web link, by its place counted from 1, also of one that nobody followed', () => {
    expect(clicksByLink(content, [], ['chat', 'email'])).toEqual({ 1.2: none, '2.1.1': none })
  })

  it('are summed by channel and language, with the people who followed it in mails', () => {
    const mail = { ...chat, channel: 'email', locale: 'zh-TW', clicks: 3, people: 2 } as const
    expect(clicksByLink(content, [chat, mail], ['chat', 'email'])['1.2']).toEqual({
      total: 8,
      byChannel: { chat: 5, email: 3 },
      byLocale: { 'zh-TW': 3, en: 5 },
      people: 2,
    })
  })

  it('are told when the text is no longer kept', () => {
    expect(clicksByLink([], [chat], ['chat'])).toMatchObject({ 1.2: { total: 5 } })
  })
})
