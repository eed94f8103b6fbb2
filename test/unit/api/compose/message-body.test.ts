import { describe, expect, it } from 'vitest'
import type { Fields } from '../../../../src/api/console/compose/form/fields.ts'
import { formOfMessage, parseMessageForm } from '../../../../src/api/console/compose/form/message-body.ts'
import { CreateMessage } from '../../../../src/contract/messages/create.ts'

const zone = 'Asia/Taipei'
const text: Fields = [
  ['content', 'blocks'],
  ['categoryId', 'news'],
  ['messages.0.kind', 'text'],
  ['messages.0.text.zh-TW', '停課'],
  ['audience.kind', 'all'],
]

describe('a form of a message', () => {
  it('describes its body: times of the unit, numbers, whom it leaves out', () => {
    const { body, issues } = parseMessageForm(
      [
        ...text,
        ['scheduleAt', '2098-12-01T09:00'],
        ['pace.perMinute#', '50'],
        ['audience.exclude.history.registered[]', 'pattern-1'],
        ['audience.exclude.history.answered[]', 'message-1/yes'],
        ['find.classIds', 'nothing of the message'],
      ],
      zone,
    )
    expect(issues).toEqual([])
    expect(body).toMatchObject({
      scheduleAt: '2098-12-01T01:00:00.000Z',
      pace: { perMinute: 50 },
      audience: {
        exclude: {
          history: [
            { kind: 'registered', patternInstanceId: 'pattern-1' },
            { kind: 'answered', messageId: 'message-1', optionId: 'yes' },
          ],
        },
      },
    })
  })

  it('has no number that JSON rounds: it says where', () => {
    const described = parseMessageForm(
      [
        ['content', 'template'],
        ['templateId', 'a-template'],
        ['variables.order#', '{"id": 9912345678901235}'],
        ['pace.perMinute#', '5'],
      ],
      zone,
    )
    expect(described.issues).toMatchObject([{ name: 'variables.order.id', why: { rule: 'inexact_number' } }])
  })

  it('has the words of a template, or its own; what the other has stays in the form', () => {
    const both: Fields = [
      ...text.slice(1),
      ['templateId', 'a-template'],
      ['variables.who', '王小明'],
      ['subject.zh-TW', '主旨'],
    ]
    expect(parseMessageForm([['content', 'template'], ...both], zone).body).toEqual({
      categoryId: 'news',
      templateId: 'a-template',
      variables: { who: '王小明' },
      audience: { kind: 'all' },
    })
    expect(parseMessageForm([['content', 'blocks'], ...both], zone).body).toMatchObject({
      subject: { 'zh-TW': '主旨' },
      messages: [{ kind: 'text' }],
    })
  })

  it('knows what is missing from what is wrong', () => {
    const { issues } = parseMessageForm(
      [
        ...text.slice(2),
        ['pace.perMinute#', 'fast'],
        ['expiresAt', 'tomorrow'],
        ['messages.1.kind', 'image'],
        ['messages.1.url', 'x'],
      ],
      zone,
    )
    expect(issues.map(({ name, missing }) => [name, missing])).toEqual([
      ['categoryId', true],
      ['messages.1.url', false],
      ['messages.1.alt', true],
      ['expiresAt', false],
      ['pace', false],
    ])
  })

  it('may have a card without buttons, alone or beside others', () => {
    const card: Fields = [
      ['messages.0.kind', 'card'],
      ['messages.0.title.zh-TW', '一'],
      ['messages.1.kind', 'carousel'],
      ['messages.1.cards.0.title.zh-TW', '二'],
    ]
    const { body } = parseMessageForm([['categoryId', 'news'], ['audience.kind', 'all'], ...card], zone)
    expect(body?.messages).toMatchObject([
      { kind: 'card', actions: [] },
      { cards: [{ kind: 'card', actions: [] }] },
    ])
  })

  it('of a draft of a template has its values, of every type', () => {
    const variables = { who: '王小明', places: 30, open: true, list: [{ 'a.b': 1 }, []], none: null }
    const body = {
      categoryId: 'news',
      templateId: 'a-template',
      variables,
      audience: { kind: 'all' as const },
    }
    expect(parseMessageForm(formOfMessage(body, zone), zone).body).toEqual(body)
  })

  it('of a draft describes the same draft', () => {
    const label = { 'zh-TW': '好', en: 'Yes' }
    const body = CreateMessage.parse({
      categoryId: 'news',
      reference: 'case-17',
      messages: [
        { kind: 'buttons', text: label, actions: [{ kind: 'postback', label, data: { v: 1, o: 'yes' } }] },
        { kind: 'card', title: label, actions: [] },
        { kind: 'quickReply', text: label, options: [{ id: 'yes', label }] },
      ],
      calendar: { start: '2098-12-01T01:00:30.000Z', location: label },
      audience: {
        kind: 'query',
        roles: ['student'],
        history: [{ kind: 'received', messageId: 'message-1' }],
        exclude: { tags: ['a.b'], history: [{ kind: 'answered', messageId: 'message-2', optionId: 'no/t' }] },
      },
      scheduleAt: '2098-11-01T01:00:00.000Z',
      remindAt: '2098-11-02T01:00:00.000Z',
      remindTo: 'unanswered',
      pace: { overSeconds: 3_600 },
      channelPlanOverride: { mode: 'all', channels: ['chat'] },
    })
    expect(parseMessageForm(formOfMessage(body, zone), zone)).toEqual({ body, issues: [] })
  })
})
