import { describe, expect, it } from 'vitest'
import { compileEmail, type EmailContent } from '../../../../src/channels/email/compile.ts'
import type { Action, CanonicalMessage } from '../../../../src/contract/messages/content.ts'
import { compiled, contentOf, flat, label, unitOf } from './content.ts'

const text = (en: string, zh = en): CanonicalMessage => ({ kind: 'text', text: label(en, zh) })
const uri: Action = { kind: 'uri', label: label('Open'), url: 'https://example.com/a?b=1&c=2' }
const taps: Action[] = [
  { kind: 'postback', label: label('Yes'), data: { v: 1 } },
  { kind: 'nextNode', label: label('Next'), nodeId: 'n' },
  { kind: 'jumpScenario', label: label('Jump'), scenarioId: 's' },
  { kind: 'mute', label: label('Mute'), categoryId: 'c' },
  { kind: 'addToGroup', label: label('Join'), groupId: 'g' },
]
const html = (messages: CanonicalMessage[]) => flat(compiled(contentOf(messages)).html)
const plain = (messages: CanonicalMessage[]) => flat(compiled(contentOf(messages)).text)
const card = (actions: Action[]): Extract<CanonicalMessage, { kind: 'card' }> => ({
  kind: 'card',
  header: label('Lecture'),
  title: label('On bells'),
  body: label('Friday\nat two'),
  imageUrl: 'https://example.com/bell.png',
  lockedReason: label('Students only'),
  actions,
})

describe('a mail', () => {
  it('gives each reader the text in their language, and zh-TW where there is no English', () => {
    const content = contentOf([text('Hello', '您好'), { kind: 'text', text: { 'zh-TW': '再見' } }])
    expect(flat(compiled(content, 'zh-TW').html)).toContain('您好')
    expect(flat(compiled(content, 'zh-TW').html)).toContain('<html lang="zh-Hant-TW">')
    expect(flat(compiled(content, 'en').text)).toContain('Hello\n\n再見')
    expect(compiled(content, 'zh-TW').subject).toBe('選課')
  })

  it('is the same to the byte every time', () => {
    const content = contentOf([text('Hello'), card(taps.slice(0, 3))])
    expect(compileEmail(content)).toEqual(compileEmail(structuredClone(content)))
  })

  it('survives being stored as JSON', () => {
    const mail = compiled(contentOf([card([taps[0]!])]))
    expect(JSON.parse(JSON.stringify(mail))).toEqual(mail)
  })

  it('has a subject of one line that lists can show', () => {
    const subject = label(`Hello\r\nBcc: all@example.edu ${'long '.repeat(60)}`)
    const line = compiled(contentOf([text('x')], { subject })).subject
    expect(line).toMatch(/^Hello Bcc: all@example\.edu long/)
    expect(line.length).toBeLessThanOrEqual(200)
  })

  it('names unit and category in the footer, with the opt-outs', () => {
    const mail = compiled(contentOf([text('x')]))
    for (const page of [flat(mail.html), flat(mail.text)]) {
      expect(page).toContain('教務處')
      expect(page).toContain('Courses')
      expect(page).toContain('{unsubscribe}')
      expect(page).toContain('{preferences}')
    }
  })

  it('says in the language of the reader why it came, and how to change that', () => {
    const reasons = (['zh-TW', 'en'] as const).flatMap((locale) =>
      [true, false].map((unsubscribe) => {
        const mail = compiled(contentOf([text('x')], { unsubscribe, unit: unitOf('Registry') }), locale)
        return flat(mail.text).split('-- \n')[1]!.split('\n')[0]
      }),
    )
    expect(reasons).toEqual([
      '這是「Registry」寄給您的「課程」通知。如要取消訂閱或變更設定，請使用以下連結。',
      '這是「Registry」寄給您的「課程」，屬於必要通知，會寄給所有相關人員。您可以在通知設定中變更語言。',
      'You receive this mail because “Courses” from Registry is turned on for you. To change that, use the links below.',
      'You receive this mail because “Courses” from Registry is mandatory: it goes to everyone it concerns. You can ' +
        'change the language in your notification settings.',
    ])
  })

  it('offers no opt-out from a mandatory category', () => {
    const mail = compiled(contentOf([text('x')], { unsubscribe: false }))
    expect(flat(mail.html) + flat(mail.text)).not.toContain('{unsubscribe}')
    expect(flat(mail.html)).toContain('{preferences}')
  })

  it('says when the reminder comes and offers to decline it, in the first mail only', () => {
    const wave = { at: new Date('2026-11-24T01:00:00Z'), timeZone: 'Asia/Taipei' }
    const mail = (more: Partial<EmailContent>, locale?: 'zh-TW') =>
      flat(compiled(contentOf([text('x')], more), locale).html)
    expect(mail({ wave })).toMatch(/We will remind you on Tue, Nov 24, at 09:00\..*\{do_not_remind\}/)
    expect(mail({ wave }, 'zh-TW')).toContain('我們會在 11 月 24 日（二）09:00 再提醒您一次。')
    expect(mail({ wave: 'reminder' })).not.toMatch(/remind you|do_not_remind/)
    expect(html([text('x')])).not.toContain('{do_not_remind}')
  })

  it('names the reminder in its subject', () => {
    const reminder = contentOf([text('x')], { wave: 'reminder' })
    expect(compiled(reminder).subject).toBe('Reminder: Registration')
    expect(compiled(reminder, 'zh-TW').subject).toBe('提醒：選課')
  })
})

describe('each kind of message', () => {
  it('shows a text with its lines and paragraphs', () => {
    const page = html([text('One\ntwo\n\nthree')])
    expect(page).toMatch(/<p[^>]*>One<br>\ntwo<\/p>\n<p[^>]*>three<\/p>/)
    expect(plain([text('One\ntwo\n\nthree')])).toMatch(/^One\ntwo\n\nthree\n/)
  })

  it('shows an image with its alternative text', () => {
    const image: CanonicalMessage = { kind: 'image', url: 'https://例え.jp/圖.png', alt: label('A "bell"') }
    expect(html([image])).toContain('src="https://xn--r8jz45g.jp/%E5%9C%96.png" alt="A &quot;bell&quot;"')
    expect(plain([image])).toContain('A "bell"\nhttps://xn--r8jz45g.jp/%E5%9C%96.png\n')
  })

  it('describes a sticker by its given text, or names it', () => {
    const sticker = { kind: 'sticker', packageId: '446', stickerId: '1988' } as const
    expect(plain([{ ...sticker, fallbackText: label('Cheers') }])).toContain('Cheers')
    expect(plain([sticker])).toContain('(sticker)')
  })

  it('shows all of a card', () => {
    const page = html([card([uri, ...taps.slice(0, 2)])])
    for (const part of ['Lecture', 'On bells', 'Friday<br>\nat two', 'bell.png', 'Students only'])
      expect(page).toContain(part)
    expect(plain([card([uri])])).toContain(
      'Lecture\n■ On bells\nFriday\nat two\n🔒 Students only\n→ Open\nhttps://example.com/a?b=1&c=2\n',
    )
  })

  it('links each action of a card in a carousel', () => {
    const page = plain([text('x'), { kind: 'carousel', cards: [card([taps[0]!]), card([uri, taps[1]!])] }])
    expect(page).toContain('→ Yes\n{1/0.0}\n')
    expect(page).toContain('→ Next\n{1/1.1}\n')
  })

  it('makes links of buttons and options', () => {
    const options = ['a', 'b'].map((id) => ({ id, label: label(`Option ${id}`) }))
    const page = html([
      { kind: 'buttons', text: label('Coming?'), actions: [taps[0]!, uri] },
      { kind: 'quickReply', text: label('When?'), options },
    ])
    expect(page).toMatch(/href="\{0\/0\}"[^>]*>Yes</)
    expect(page).toMatch(/href="https:\/\/example\.com\/a\?b=1&amp;c=2"[^>]*>Open</)
    expect(page).toMatch(/href="\{1\/1\}"[^>]*>Option b</)
  })

  it('lets every kind of action but a link return to Carillon', () => {
    const page = plain([card(taps.slice(0, 3)), card(taps.slice(3))])
    for (const place of ['{0/0}', '{0/1}', '{0/2}', '{1/0}', '{1/1}']) expect(page).toContain(place)
  })
})

describe('a violation', () => {
  const violationsOf = (messages: CanonicalMessage[]) =>
    compileEmail(contentOf(messages)).violations.map(({ path, code }) => `${path} ${code}`)

  it('is reported with its path, once', () => {
    const blank = { kind: 'text', text: { 'zh-TW': ' \n' } } as const
    expect(violationsOf([text('x'), blank])).toEqual(['messages[1].text.zh-TW blank'])
    expect(violationsOf([text('\ud800', '好')])).toEqual(['messages[0].text.en broken_text'])
  })

  it('is a link that runs code or carries content', () => {
    const open = (url: string): CanonicalMessage => card([{ ...uri, url }])
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x'])
      expect(violationsOf([open(url)])).toEqual(['messages[0].actions[0].url unsupported_link'])
    for (const url of ['https://a.b', 'http://a.b', 'tel:+886', 'line://ti/p', 'mailto:a@b.c'])
      expect(violationsOf([open(url)])).toEqual([])
    const image: CanonicalMessage = { kind: 'image', url: 'ftp://a.b/c', alt: label('x') }
    expect(violationsOf([image])).toEqual(['messages[0].url unsupported_image'])
  })

  it('is a mail so large that its end would be clipped', () => {
    expect(violationsOf(Array(40).fill(text('word '.repeat(700))))).toEqual(['messages too_large'])
  })
})

describe('a lightly formatted text', () => {
  const text = label(
    '# Open day\n\nCome **on time** to [the hall](https://example.edu/hall?a=1&b=2).\n\n- card\n- number\n\n<b>no HTML</b>',
  )
  const body = { ...contentOf([{ kind: 'text', text, format: 'light' }]) }

  it('has headings, bold, lists and links, and no HTML of its author', () => {
    const html = flat(compiled(body).html)
    expect(html).toMatch(/<h2 [^>]*>Open day<\/h2>/)
    expect(html).toMatch(
      /Come <strong>on time<\/strong> to <a [^>]*href="https:\/\/example.edu\/hall\?a=1&amp;b=2"/,
    )
    expect(html).toMatch(/<ul [^>]*><li [^>]*>card<\/li>\s*<li [^>]*>number<\/li>/)
    expect(html).toContain('&lt;b&gt;no HTML&lt;/b&gt;')
  })

  it('is plain in the text part, with the address of a link in brackets', () => {
    expect(flat(compiled(body).text)).toContain(
      'Open day\n\nCome on time to the hall（https://example.edu/hall?a=1&b=2）.\n\n• card\n• number',
    )
  })

  it('leads nowhere by an address that no mail opens, which is a violation', () => {
    const script = contentOf([{ kind: 'text', text: label('[x](javascript:alert(1))'), format: 'light' }])
    const { locales, violations } = compileEmail(script)
    expect(violations.map(({ path, code }) => [path, code])).toContainEqual([
      'messages[0].text.en',
      'unsupported_link',
    ])
    expect(flat(locales.en.parts[0]![0]!.html)).not.toContain('javascript')
  })

  it('of a card is formatted too', () => {
    const card = {
      kind: 'card' as const,
      title: label('Open day'),
      body: label('**Now**'),
      format: 'light' as const,
      actions: [],
    }
    expect(flat(compiled(contentOf([card])).html)).toContain('<strong>Now</strong>')
  })
})
