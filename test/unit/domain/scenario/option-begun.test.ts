import { expect, it } from 'vitest'
import { autoReply } from '../../../../src/domain/scenario/auto-reply.ts'
import { optionBegun, type QuestionOption } from '../../../../src/domain/scenario/question.ts'

const options: QuestionOption[] = [
  { id: 'yes', label: { 'zh-TW': '好，幫我報名', en: 'Yes, please' } },
  { id: 'no', label: { 'zh-TW': '這次先不要', en: 'Not this time' } },
  { id: 'later', label: { 'zh-TW': '這週再說', en: 'Notify me later' } },
]

it.each([
  ['yes', 'yes'],
  ['YES,', 'yes'],
  ['“Yes, please!”', 'yes'],
  ['這次', 'no'],
  ['not', 'no'],
  ['Not this', 'no'],
  ['Notify', 'later'],
])('“%s” is how one label alone begins: %s', (text, id) => {
  expect(optionBegun(options, text)?.id).toBe(id)
})

it.each(['y', '好', '好，', '這', 'ye', 'Noti', 'please', ''])('“%s” names no option', (text) => {
  expect(optionBegun(options, text)).toBeNull()
})

it('the answer to what was not understood gives an example that can be typed', () => {
  const { label } = options[0]!
  expect(autoReply({ kind: 'unknown_option', example: label })).toEqual({
    'zh-TW': '不好意思，我沒看懂。請點選上方的選項，或照著輸入，例如「好，幫我報名」。',
    en: 'Sorry, I didn’t understand that. Please tap one of the options above, or type one, for example “Yes, please”.',
  })
})
