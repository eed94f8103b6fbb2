import { describe, expect, it } from 'vitest'
import { directory } from '../../../dev/demo/directory.ts'
import { alice, bob, simulator } from '../../fixtures/simulator.ts'
import { hello } from '../../fixtures/simulator-calls.ts'

const nihao = { type: 'text', text: '您好' }

describe('the phones', () => {
  it('show what one recipient received, without others and rejected calls', async () => {
    const { push, url } = await simulator()
    await push(alice, undefined, [{ type: 'text', text: 'for Alice' }])
    await push(bob, undefined, [{ type: 'text', text: 'for Bob' }])
    await push(alice, 'no uuid', [{ type: 'text', text: 'refused' }])
    const { markup } = (await (await fetch(`${url}/phones/${alice}`)).json()) as { markup: string }
    expect(markup).toContain('for Alice')
    expect(markup).not.toMatch(/for Bob|refused/)
  })

  it('continue from the cursor', async () => {
    const { push, url } = await simulator()
    const read = async (since: string) =>
      (await (await fetch(`${url}/phones/${alice}?since=${since}`)).json()) as {
        markup: string
        next: string
        blocked: boolean
      }
    await push(alice)
    const { next } = await read('')
    expect(await read(next)).toEqual({ markup: '', next, blocked: false })
    await push(alice, undefined, [{ type: 'text', text: 'later' }])
    expect((await read(next)).markup).toContain('later')
    expect((await read(next)).markup).not.toContain(hello.text)
  })

  it('are shown side by side, one for each language', async () => {
    const { push, url } = await simulator()
    await push(alice, undefined, [nihao])
    await push(bob)
    const page = await (await fetch(url)).text()
    expect(page).toMatch(new RegExp(`name="left" value="${alice}"`))
    expect(page).toMatch(new RegExp(`name="right" value="${bob}"`))
    expect(page).toContain('您好')
    expect(page).toContain('Hello')
  })

  it('show any recipient, by address', async () => {
    const { push, url } = await simulator()
    await push(alice, undefined, [nihao])
    const page = await (await fetch(`${url}/?left=${bob}`)).text()
    expect(page).toMatch(new RegExp(`name="left" value="${bob}"`))
  })

  it('name people of the demo, who are found by name, uid and address', async () => {
    const { push, url } = await simulator()
    const [first, second] = directory().filter(({ chat }) => chat !== undefined)
    await push(first!.chat, undefined, [nihao])
    const page = await (await fetch(`${url}/?left=${first!.chat}`)).text()
    expect(page).toContain(`${first!.name} · ${first!.uid}`)
    for (const text of [second!.name, second!.uid.toLowerCase(), second!.chat!]) {
      const list = await (await fetch(`${url}/recent?${new URLSearchParams({ q: text })}`)).text()
      expect(list).toContain(`data-id="${second!.chat}"`)
      expect(list).toContain(second!.name)
    }
    expect(await (await fetch(`${url}/recent?q=nobody-of-this-name`)).text()).not.toContain('data-id')
  })

  it('are in the language of the reader, until the reader changes it', async () => {
    const { url } = await simulator()
    const read = async (path: string, headers = {}) => (await fetch(`${url}${path}`, { headers })).text()
    expect(await read('/')).toContain('Chat simulator')
    expect(await read('/', { 'accept-language': 'zh-TW,en;q=0.5' })).toContain('聊天模擬器')
    const chosen = await fetch(`${url}/?lang=zh-TW`)
    const [cookie] = chosen.headers.get('set-cookie')!.split(';')
    expect(await read('/recent', { cookie })).toContain('還沒有收件人')
    expect(await read('/?lang=en', { cookie })).toContain('Chat simulator')
  })

  it('show the name in which a unit sends', async () => {
    const { push, url } = await simulator()
    await push(alice, undefined, [{ ...nihao, sender: { name: '教務處' } }])
    const { markup } = (await (await fetch(`${url}/phones/${alice}`)).json()) as { markup: string }
    expect(markup).toContain('<span class="sender-name">教務處</span>')
  })

  it('show texts as texts, and load nothing from elsewhere', async () => {
    const { push, url } = await simulator()
    await push(alice, undefined, [{ type: 'text', text: '<script>alert("1")</script>' }])
    const page = await (await fetch(`${url}/?left=${alice}`)).text()
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
    expect(page).not.toContain('<script>')
    const resources = [...page.matchAll(/(?:src|href)="(\/[a-z.]+)"/g)].map(([, path]) => path)
    for (const path of resources) expect((await fetch(`${url}${path}`)).status).toBe(200)
    expect(page).not.toMatch(/(src|href)="https?:/)
  })

  it('show every kind of message with its buttons', async () => {
    const { push, url } = await simulator()
    const tap = (label: string) => ({ type: 'postback', label, data: '{"v":1}' })
    const box = (contents: unknown[]) => ({ type: 'box', layout: 'vertical', contents })
    const bubble = {
      type: 'bubble',
      hero: { type: 'image', url: 'https://example.com/hero.png' },
      body: box([{ type: 'text', text: 'In a card', wrap: true }]),
      footer: box([{ type: 'button', action: tap('Card button') }]),
    }
    const sent = await push(alice, undefined, [
      {
        type: 'image',
        originalContentUrl: 'https://example.com/a.png',
        previewImageUrl: 'https://example.com/map.png',
      },
      { type: 'sticker', packageId: '446', stickerId: '1988' },
      {
        type: 'template',
        altText: 'a',
        template: { type: 'buttons', text: 'Choose', actions: [tap('Row button')] },
      },
      { type: 'flex', altText: 'a', contents: { type: 'carousel', contents: [bubble, bubble] } },
      { ...hello, quickReply: { items: [{ type: 'action', action: tap('Chip') }] } },
    ])
    expect(sent.status).toBe(200)
    const { markup } = (await (await fetch(`${url}/phones/${alice}`)).json()) as { markup: string }
    for (const text of [
      'map.png',
      'Sticker 446 / 1988',
      'Choose',
      'Row button',
      'In a card',
      'hero.png',
      'Card button',
      'Chip',
    ])
      expect(markup).toContain(text)
    expect(markup.match(/<article class="card/g)).toHaveLength(2)
  })
})
