import { describe, expect, it } from 'vitest'
import { checkMessages } from '../../../../dev/simulator/check-message.ts'
import { compileChat } from '../../../../src/channels/chat/compile.ts'
import type { Action, CanonicalMessage } from '../../../../src/contract/messages/content.ts'
import type { ContentWave } from '../../../../src/domain/content/reminder-time.ts'

type ShownMessage = {
  text?: string
  altText?: string
  quickReply?: { items: { action: { label: string } }[] }
}

const origin = { m: '019a9d2e-7c1f-7cc0-9d53-0242ac120002' }
const label = { 'zh-TW': '好', en: 'Yes' }
const text = (zh: string, en?: string): CanonicalMessage => ({
  kind: 'text',
  text: { 'zh-TW': zh, ...(en && { en }) },
})
const open: Action = { kind: 'uri', label, url: 'https://example.com/a' }
const quickReply: CanonicalMessage = {
  kind: 'quickReply',
  text: { 'zh-TW': '來嗎?', en: 'Coming?' },
  options: [
    { id: 'yes', label },
    { id: 'no', label: { 'zh-TW': '不', en: 'No' } },
  ],
}

/** The provider's messages in one locale, of a content without violations, call by call. */
function compiled(messages: CanonicalMessage[], locale: 'zh-TW' | 'en' = 'en', wave: ContentWave = 'only') {
  const { locales, violations } = compileChat({ messages, wave }, origin)
  expect(violations).toEqual([])
  for (const part of locales[locale].parts) expect(checkMessages(part)).toEqual([])
  return JSON.parse(JSON.stringify(locales[locale].parts))
}
const only = (message: CanonicalMessage, locale?: 'zh-TW' | 'en') => compiled([message], locale)[0][0]
const tapOf = (action: { data: string }) => JSON.parse(action.data)

describe('a unit with a name of its own', () => {
  const sender = { name: { 'zh-TW': '教務處', en: 'Registry' }, iconUrl: 'https://example.com/registry.png' }

  it('sends every message in it, in the language of the reader', () => {
    const content = {
      messages: [text('您好'), quickReply],
      wave: { at: new Date(0), timeZone: 'Asia/Taipei' },
      unit: { sender },
    }
    const { locales } = compileChat(content, origin)
    const messages = locales.en.parts.flat()
    expect(messages.map((message) => message.sender)).toEqual(
      messages.map(() => ({ name: 'Registry', iconUrl: sender.iconUrl })),
    )
    expect(checkMessages(messages)).toEqual([])
    expect(locales['zh-TW'].parts[0]![0]!.sender?.name).toBe('教務處')
  })

  it('needs no icon', () => {
    const unit = { sender: { ...sender, iconUrl: null } }
    const { locales } = compileChat({ messages: [text('您好')], wave: 'only', unit }, origin)
    expect(locales.en.parts[0]![0]!.sender).toEqual({ name: 'Registry' })
  })
})

describe('languages', () => {
  it('gives each reader their own text', () => {
    expect(only(text('您好', 'Hello'), 'zh-TW')).toEqual({ type: 'text', text: '您好' })
    expect(only(text('您好', 'Hello'), 'en')).toEqual({ type: 'text', text: 'Hello' })
  })

  it('gives zh-TW to a reader of English where there is no English', () => {
    expect(only(text('您好'), 'en')).toEqual({ type: 'text', text: '您好' })
  })
})

describe('images and stickers', () => {
  it('uses the image as its preview if there is none', () => {
    const image = only({ kind: 'image', url: 'https://example.com/a.png', alt: label })
    expect(image).toMatchObject({ previewImageUrl: 'https://example.com/a.png' })
  })

  it('writes a URL in ASCII, as the provider requires', () => {
    const image = only({ kind: 'image', url: 'https://例え.jp/圖.png', alt: label })
    expect(image.originalContentUrl).toBe('https://xn--r8jz45g.jp/%E5%9C%96.png')
  })

  it('describes a sticker in words if the provider cannot know it', () => {
    const sticker = { kind: 'sticker', packageId: 'bells', stickerId: '1', fallbackText: label } as const
    expect(only(sticker)).toEqual({ type: 'text', text: 'Yes' })
    expect(only({ ...sticker, packageId: '446', stickerId: '1988' })).toMatchObject({ type: 'sticker' })
  })
})

describe('cards', () => {
  const card = {
    kind: 'card',
    header: { 'zh-TW': '活動', en: 'Event' },
    title: { 'zh-TW': '開放日', en: 'Open day' },
    body: { 'zh-TW': '歡迎', en: 'Welcome' },
    imageUrl: 'https://example.com/a.png',
    actions: [open, { kind: 'mute', label, categoryId: 'news' }],
    lockedReason: { 'zh-TW': '額滿', en: 'Full' },
  } satisfies CanonicalMessage

  it('show all their texts, in the bubble and in the alternative text', () => {
    const message = only(card)
    expect(message.altText).toBe('Event\nOpen day\nWelcome\nFull')
    const texts = message.contents.body.contents.map((component: { text: string }) => component.text)
    expect(texts).toEqual(['Event', 'Open day', 'Welcome', '🔒 Full'])
    expect(message.contents.hero.url).toBe(card.imageUrl)
  })

  it('may be in a carousel with different shapes; a tap names card and action', () => {
    const bare = { kind: 'card', title: label, actions: [] } satisfies CanonicalMessage
    const { contents } = only({ kind: 'carousel', cards: [bare, card] })
    expect(contents.contents).toHaveLength(2)
    expect(tapOf(contents.contents[1].footer.contents[1].action)).toEqual({
      v: 1,
      ...origin,
      n: '0',
      o: '1.1',
    })
  })
})

describe('buttons', () => {
  const buttons = (zh: string, actions: Action[]): CanonicalMessage => ({
    kind: 'buttons',
    text: { 'zh-TW': zh },
    actions,
  })
  const labelled = (words: string): Action => ({ ...open, label: { 'zh-TW': words } })

  it('are a template up to 160 characters, and a bubble above', () => {
    expect(only(buttons('👩‍👩‍👧‍👦'.repeat(160), [open])).type).toBe('template')
    expect(only(buttons('字'.repeat(161), [open])).type).toBe('flex')
  })

  it('are a bubble if a label is too long for a template', () => {
    expect(only(buttons('字', [labelled('二'.repeat(20))])).type).toBe('template')
    expect(only(buttons('字', [labelled('二'.repeat(21))])).type).toBe('flex')
  })

  it('come back as taps that name message, block and action, for every kind of action', () => {
    const actions: Action[] = [
      { kind: 'postback', label, data: { v: 1, a: 'x'.repeat(500) } },
      { kind: 'nextNode', label, nodeId: 'n' },
      { kind: 'jumpScenario', label, scenarioId: 's' },
      { kind: 'addToGroup', label, groupId: 'g' },
    ]
    const { template } = only(buttons('字', actions))
    expect(template.actions.map(tapOf)).toEqual(
      ['0', '1', '2', '3'].map((o) => ({ v: 1, ...origin, n: '0', o })),
    )
    expect(template.actions[0].displayText).toBe('Yes')
  })

  it('open links directly', () => {
    const { template } = only(buttons('字', [open]))
    expect(template.actions[0]).toEqual({ type: 'uri', label: 'Yes', uri: 'https://example.com/a' })
  })
})

describe('quick replies', () => {
  it('are under the last message', () => {
    const [part] = compiled([text('甲'), quickReply])
    expect(part[1].quickReply.items.map((item: { action: { data: string } }) => tapOf(item.action))).toEqual([
      { v: 1, ...origin, n: '1', o: '0' },
      { v: 1, ...origin, n: '1', o: '1' },
    ])
  })

  it('are a bubble of buttons anywhere else', () => {
    const [part] = compiled([quickReply, text('甲')])
    expect(part[0]).toMatchObject({ type: 'flex', altText: 'Coming?' })
    expect(part[0].contents.footer.contents).toHaveLength(2)
  })
})

describe('do-not-remind', () => {
  const wave: ContentWave = { at: new Date('2026-11-24T01:00:00Z'), timeZone: 'Asia/Taipei' }
  const letters = (n: number) => Array.from({ length: n }, () => text('字'))
  const reply = (options: number): CanonicalMessage => ({
    ...quickReply,
    options: Array.from({ length: options }, (_, n) => ({ id: String(n), label })),
  })
  /** Each call as its messages: what lock screens show of it, and the labels below it. */
  const screens = (messages: CanonicalMessage[], of: ContentWave = wave) =>
    compiled(messages, 'en', of).map((part: ShownMessage[]) =>
      part.map(({ text, altText, quickReply: below }) => [
        text ?? altText,
        ...(below?.items ?? []).map(({ action }) => action.label),
      ]),
    )
  const when = 'We will remind you on Tue, Nov 24, at 09:00.'

  it('is a mild bubble at the end that says when, in the reader’s language', () => {
    const bubble = compiled([text('甲')], 'en', wave)[0][1]
    const [button] = bubble.contents.footer.contents
    expect(bubble).toMatchObject({ altText: when, contents: { body: { contents: [{ text: when }] } } })
    expect(button).toMatchObject({ style: 'secondary', action: { label: 'Do not remind me' } })
    expect(tapOf(button.action)).toEqual({ v: 1, ...origin, a: 'do_not_remind' })
    expect(compiled([text('甲')], 'zh-TW', wave)[0][1].altText).toBe(
      '我們會在 11 月 24 日（二）09:00 再提醒您一次。',
    )
  })

  it('is one more option of a closing quick reply, and costs no bubble', () => {
    expect(screens([text('甲'), reply(12)])).toEqual([
      [['甲'], ['Coming?', ...Array(12).fill('Yes'), 'Skip Nov 24 reminder']],
    ])
    const [part] = compiled([quickReply], 'zh-TW', wave)
    const { action } = part[0].quickReply.items.at(-1)
    expect(action.label).toBe('11/24 不用提醒我')
    expect(tapOf(action)).toEqual({ v: 1, ...origin, a: 'do_not_remind' })
  })

  it('is a bubble before a quick reply without room, or carries its options rather than being first', () => {
    const all = Array(13).fill('Yes')
    expect(screens([text('甲'), reply(13)])).toEqual([[['甲'], [when], ['Coming?', ...all]]])
    expect(screens([reply(13)])).toEqual([[['Coming?'], [when, ...all]]])
    expect(screens([...letters(5), reply(13)])).toEqual([
      Array(5).fill(['字']),
      [['Coming?'], [when, ...all]],
    ])
  })

  it('is an option below the last message where a bubble would cost a call of its own', () => {
    const [part, ...others] = screens(letters(5))
    expect(others).toEqual([])
    expect(part.at(-1)).toEqual(['字', 'Skip Nov 24 reminder'])
    expect(screens(letters(6))[1]).toEqual([['字'], [when]])
  })

  it('is missing in the reminder itself, which is the last', () => {
    expect(screens([text('甲'), quickReply], 'reminder')).toEqual([[['提醒\n甲'], ['Coming?', 'Yes', 'No']]])
  })

  it('gives way there to a first line that says what it is, above the first words', () => {
    const image: CanonicalMessage = { kind: 'image', url: 'https://example.com/a.png', alt: label }
    const card: CanonicalMessage = {
      kind: 'card',
      title: { 'zh-TW': '開放日', en: 'Open day' },
      actions: [open],
    }
    const [call] = compiled([image, card, text('乙', 'B')], 'en', 'reminder')
    expect(call.map(({ altText, text }: ShownMessage) => altText ?? text)).toEqual([
      undefined,
      'Reminder\nOpen day',
      'B',
    ])
    const long = text('字'.repeat(4_999))
    expect(compiled([long], 'zh-TW', 'reminder')[0][0].text).toHaveLength(4_999)
    const [[headed]] = compiled([{ ...card, header: { 'zh-TW': '校園', en: 'Campus' } }], 'zh-TW', 'reminder')
    expect(headed.altText).toBe('提醒｜校園\n開放日')
  })
})

describe('calls', () => {
  it('hold at most five messages, in order', () => {
    const letters = [...'甲乙丙丁戊己'].map((letter) => text(letter))
    expect(compiled(letters).map((part: unknown[]) => part.length)).toEqual([5, 1])
  })
})

describe('a lightly formatted text', () => {
  const light = (zh: string): CanonicalMessage => ({ kind: 'text', text: { 'zh-TW': zh }, format: 'light' })
  const violationsOf = (message: CanonicalMessage) =>
    compileChat({ messages: [message], wave: 'only' }, origin).violations.map(({ path, code }) => [
      path,
      code,
    ])

  it('is shown plain, with the address of a link in brackets', () => {
    const [[bubble]] = compiled([light('# 開放日\n\n請到**[禮堂](https://example.edu)**')]) as [
      [ShownMessage],
    ]
    expect(bubble.text).toBe('開放日\n\n請到禮堂（https://example.edu）')
  })

  it('is as long as what is shown, and its links are checked as those of buttons', () => {
    expect(violationsOf(light(`**${'字'.repeat(4_998)}**`))).toEqual([])
    expect(violationsOf(light('字'.repeat(5_001)))).toContainEqual(['messages[0].text.zh-TW', 'too_long'])
    expect(violationsOf(light('[x](javascript:alert(1))'))).toContainEqual([
      'messages[0].text.zh-TW',
      'unsupported_link',
    ])
  })

  it('of a card is shown plain', () => {
    const card: CanonicalMessage = {
      ...{ kind: 'card', title: { 'zh-TW': '開放日' }, body: { 'zh-TW': '**現在**' } },
      ...{ format: 'light', actions: [] },
    }
    expect(JSON.stringify(compiled([card]))).toContain('"text":"現在"')
  })
})
