import { describe, expect, it } from 'vitest'
import type { Action, CanonicalMessage } from '../../../src/contract/messages/content.ts'
import {
  contentViolations,
  contentWarnings,
  referencesIn,
} from '../../../src/domain/content/content-check.ts'

const label = { 'zh-TW': '好' }
const link = (url: string): Action => ({ kind: 'uri', label, url })
const buttons = (...actions: Action[]): CanonicalMessage => ({ kind: 'buttons', text: label, actions })
const violationsOf = (messages: CanonicalMessage[], subject: { 'zh-TW': string } | null = null) =>
  contentViolations({ messages, subject }).map(({ path, code }) => `${path} ${code}`)

describe('the violations of a content on every channel', () => {
  it('are characters that nobody sees, in every text and address', () => {
    const card: CanonicalMessage = {
      kind: 'card',
      title: { 'zh-TW': '好', en: 'invoice\u202Efdp' },
      actions: [link('https://a.example/\u202E')],
    }
    expect(violationsOf([card], { 'zh-TW': '主\u200B旨' })).toEqual([
      'messages[0].title.en invisible_character',
      'messages[0].actions[0].url invisible_character',
      'subject.zh-TW invisible_character',
    ])
    expect(violationsOf([buttons(link('https://a.example/%E2%80%AE'))])).toEqual([
      'messages[0].actions[0].url invisible_character',
    ])
    expect(violationsOf([buttons(link('https://a.example/%zz?%C3%A9'))])).toEqual([])
  })

  it('are user names and passwords in addresses', () => {
    const image: CanonicalMessage = { kind: 'image', url: 'https://bank.example@evil.example/', alt: label }
    const actions = ['https://a:b@c.example', 'https://c.example/@a', 'mailto:a@c.example'].map(link)
    expect(violationsOf([image, buttons(...actions)])).toEqual([
      'messages[0].url userinfo_in_link',
      'messages[1].actions[0].url userinfo_in_link',
    ])
  })

  it('are two options of one question with the same id', () => {
    const option = (id: string) => ({ id, label })
    const next = (optionId: string): Action => ({ kind: 'nextNode', label, nodeId: 'n', optionId })
    const question = (...ids: string[]): CanonicalMessage => ({
      kind: 'quickReply',
      text: label,
      options: ids.map(option),
    })
    expect(violationsOf([question('yes', 'no', 'yes'), question('yes')])).toEqual([
      'messages[0].options[2].id duplicate_option',
    ])
    expect(violationsOf([buttons(next('a'), next('b'), next('a'))])).toEqual([
      'messages[0].actions[2].optionId duplicate_option',
    ])
    const data = { v: 1, o: 'same' } as const
    const postback: Action = { kind: 'postback', label, data }
    expect(violationsOf([buttons(postback, postback)])).toEqual([])
  })
})

it('the categories and groups that actions name are found with their paths', () => {
  const mute: Action = { kind: 'mute', label, categoryId: 'news' }
  const join: Action = { kind: 'addToGroup', label, groupId: 'g' }
  const card = { kind: 'card', title: label, actions: [mute] } as const
  const carousel: CanonicalMessage = {
    kind: 'carousel',
    cards: [
      { ...card, actions: [] },
      { ...card, actions: [mute] },
    ],
  }
  expect(referencesIn([carousel, buttons(link('https://a.example'), join)])).toEqual({
    categories: [{ path: 'messages[0].cards[1].actions[0].categoryId', id: 'news' }],
    groups: [{ path: 'messages[1].actions[1].groupId', id: 'g' }],
    scenarios: [],
  })
})

it('a button that leads to a node is a warning, one that starts a scenario is not', () => {
  const next: Action = { kind: 'nextNode', label, nodeId: 'n' }
  const jump: Action = { kind: 'jumpScenario', label, scenarioId: 's' }
  expect(contentWarnings([buttons(link('https://a.example'), next, jump)])).toMatchObject([
    { path: 'messages[0].actions[1]', code: 'no_scenario' },
  ])
})

describe('links of a lightly formatted text', () => {
  const faults = (messages: CanonicalMessage[]) =>
    contentViolations({ messages, subject: null }).map(({ path, code }) => [path, code])
  const deceiving = '[校園](https://example.edu@evil.example/)'

  it('are checked as those of buttons are, wherever they stand', () => {
    const text = { 'zh-TW': '好', en: deceiving }
    const card = {
      kind: 'card' as const,
      title: { 'zh-TW': '卡' },
      body: text,
      format: 'light' as const,
      actions: [],
    }
    expect(faults([{ kind: 'text', text, format: 'light' }])).toEqual([
      ['messages[0].text.en', 'userinfo_in_link'],
    ])
    expect(faults([card])).toEqual([['messages[0].body.en', 'userinfo_in_link']])
    expect(faults([{ kind: 'carousel', cards: [card] }])).toEqual([
      ['messages[0].cards[0].body.en', 'userinfo_in_link'],
    ])
  })

  it('are none in a plain text', () => {
    expect(faults([{ kind: 'text', text: { 'zh-TW': deceiving } }])).toEqual([])
  })
})
