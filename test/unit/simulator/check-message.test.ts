import { describe, expect, it } from 'vitest'
import { checkMessages } from '../../../dev/simulator/check-message.ts'

const tap = { type: 'postback', label: 'Yes', data: '{}' }
const text = { type: 'text', text: 'Hello' }
const bubble = { type: 'bubble', body: { type: 'box', layout: 'vertical', contents: [text] } }
const flex = (contents: object) => ({ type: 'flex', altText: 'a', contents })
const buttons = (template: object) => ({
  type: 'template',
  altText: 'a',
  template: { type: 'buttons', text: 'a', actions: [tap], ...template },
})
const quick = (items: object[]) => ({ ...text, quickReply: { items } })

/** Where the provider would find a fault in this message. */
const faults = (message: object) => checkMessages([message]).map(({ property }) => property)

describe('the provider', () => {
  it('accepts one to five messages', () => {
    expect(checkMessages([text, text, text, text, text])).toEqual([])
    expect(checkMessages([])).toMatchObject([{ property: 'messages' }])
    expect(checkMessages([text, text, text, text, text, text])).toMatchObject([{ property: 'messages' }])
    expect(checkMessages(undefined)).toMatchObject([{ property: 'messages' }])
  })

  it.each([
    ['an unknown kind', { type: 'fax' }, 'messages[0].type'],
    ['an unknown property', { ...text, colour: 'red' }, 'messages[0]'],
    ['a blank text', { type: 'text', text: ' ' }, 'messages[0].text'],
    ['a text above 5,000 UTF-16 units', { type: 'text', text: '😀'.repeat(2_501) }, 'messages[0].text'],
    [
      'an image over HTTP',
      { type: 'image', originalContentUrl: 'http://a/b', previewImageUrl: 'https://a/b' },
      'messages[0].originalContentUrl',
    ],
    [
      'an image without preview',
      { type: 'image', originalContentUrl: 'https://a/b' },
      'messages[0].previewImageUrl',
    ],
    [
      'a template text above 160 characters',
      buttons({ text: '👨‍👩‍👧'.repeat(161) }),
      'messages[0].template.text',
    ],
    ['a template without actions', buttons({ actions: [] }), 'messages[0].template.actions'],
    [
      'five template actions',
      buttons({ actions: [tap, tap, tap, tap, tap] }),
      'messages[0].template.actions',
    ],
    [
      'a template label above 20',
      buttons({ actions: [{ ...tap, label: '一'.repeat(21) }] }),
      'messages[0].template.actions[0].label',
    ],
    [
      'postback data above 300',
      buttons({ actions: [{ ...tap, data: 'x'.repeat(301) }] }),
      'messages[0].template.actions[0].data',
    ],
    [
      'a link of another scheme',
      buttons({ actions: [{ type: 'uri', label: 'a', uri: 'ftp://a/b' }] }),
      'messages[0].template.actions[0].uri',
    ],
    [
      '14 quick replies',
      quick(Array.from({ length: 14 }, () => ({ type: 'action', action: tap }))),
      'messages[0].quickReply.items',
    ],
    [
      'an alternative text above 1,500',
      { ...flex(bubble), altText: 'a'.repeat(1_501) },
      'messages[0].altText',
    ],
    [
      'bubbles of different sizes',
      flex({ type: 'carousel', contents: [bubble, { ...bubble, size: 'kilo' }] }),
      'messages[0].contents.contents',
    ],
    [
      '13 bubbles',
      flex({ type: 'carousel', contents: Array.from({ length: 13 }, () => bubble) }),
      'messages[0].contents.contents',
    ],
  ])('rejects %s', (_, message, property) => {
    expect(faults(message)).toEqual([property])
  })

  it('counts labels and template texts as readers do', () => {
    expect(
      faults(buttons({ text: '👨‍👩‍👧'.repeat(160), actions: [{ ...tap, label: '👨‍👩‍👧'.repeat(20) }] })),
    ).toEqual([])
  })

  it('rejects a bubble above 30 KB or a carousel above 50 KB', () => {
    const filled = (bytes: number) => ({
      ...bubble,
      body: { ...bubble.body, contents: [{ ...text, text: 'x'.repeat(bytes) }] },
    })
    expect(faults(flex(filled(29_800)))).toEqual([])
    expect(faults(flex(filled(30_000)))).toEqual(['messages[0].contents'])
    const carousel = (...bytes: number[]) => flex({ type: 'carousel', contents: bytes.map(filled) })
    expect(faults(carousel(24_700, 24_700))).toEqual([])
    expect(faults(carousel(25_000, 25_000))).toEqual(['messages[0].contents'])
  })
})
