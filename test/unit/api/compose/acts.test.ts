import { describe, expect, it } from 'vitest'
import { changed, changeOf } from '../../../../src/api/console/compose/form/acts.ts'
import { type Fields, jsonOf, numbersIn } from '../../../../src/api/console/compose/form/fields.ts'

const fields: Fields = [
  ['messages.0.kind', 'text'],
  ['messages.0.text.en', 'First'],
  ['messages.1.kind', 'quickReply'],
  ['messages.1.options.0.label.en', 'Yes'],
  ['messages.2.kind', 'text'],
  ['messages.2.text.en', 'Third'],
  ['categoryId', 'news'],
]
const pressed = (act: string) => jsonOf(changed(fields, changeOf(act)!)) as { messages: { kind: string }[] }
const kinds = (act: string) => pressed(act).messages.map(({ kind }) => kind)

describe('a press that changes what is written', () => {
  it('adds, removes and moves a block, and keeps the rest', () => {
    expect(kinds('add card')).toEqual(['text', 'quickReply', 'text', 'card'])
    expect(pressed('remove messages.0')).toMatchObject({
      categoryId: 'news',
      messages: [{ kind: 'quickReply' }, {}],
    })
    expect(kinds('up messages.1')).toEqual(['quickReply', 'text', 'text'])
    expect(pressed('down messages.1').messages[2]).toMatchObject({ options: [{ label: { en: 'Yes' } }] })
  })

  it('copies a block behind itself, with keys of its own', () => {
    expect(kinds('copy messages.1')).toEqual(['text', 'quickReply', 'quickReply', 'text'])
    expect(pressed('copy messages.1').messages[2]).toEqual(pressed('copy messages.1').messages[1])
    const keyed: Fields = [...fields, ['messages.1.key', 'k1']]
    expect(changed(keyed, changeOf('copy messages.1')!).filter(([name]) => name.endsWith('.key'))).toEqual([
      ['messages.1.key', 'k1'],
    ])
    expect(kinds('copy messages.9')).toEqual(['text', 'quickReply', 'text'])
  })

  it('adds an entry in which nothing is written yet', () => {
    const more = changed(fields, changeOf('more messages.1.options')!)
    expect(numbersIn(more, 'messages.1.options')).toEqual([0, 1])
  })

  it('keeps what is empty or no JSON, and closes a list up', () => {
    const before: Fields = [
      ['messages.0.kind', 'text'],
      ['messages.1.kind', 'text'],
      ['messages.1.text.en', ''],
      ['messages.2.kind', 'card'],
      ['pace.perMinute#', 'fast'],
    ]
    expect(changed(before, changeOf('remove messages.0')!)).toEqual([
      ['messages.0.kind', 'text'],
      ['messages.0.text.en', ''],
      ['messages.1.kind', 'card'],
      ['pace.perMinute#', 'fast'],
    ])
  })

  it.each([
    'up messages.0',
    'down messages.2',
    'up messages.9',
    'up categoryId',
    'remove nothing.at.all',
    'add constructor',
    'add toString',
    'add nothing',
  ])('%s changes nothing', (act) => {
    expect(pressed(act)).toEqual(jsonOf(fields))
  })

  it.each(['submit', 'add', 'remove ../x', 'add <b>', ''])('“%s” is none', (act) => {
    expect(changeOf(act)).toBeNull()
  })
})
