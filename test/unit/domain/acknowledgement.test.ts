import { expect, it } from 'vitest'
import {
  acknowledgementOf,
  defaultAcknowledgement,
  type TapResult,
} from '../../../src/domain/content/acknowledgement.ts'

const answersTo = (result: TapResult) =>
  (['zh-TW', 'en'] as const).map((locale) => acknowledgementOf(defaultAcknowledgement, locale, result))

it('a tap is answered with its label, whatever characters that has', () => {
  expect(answersTo({ kind: 'answered', label: { 'zh-TW': '好 $&' } })).toEqual([
    '已收到：好 $&',
    'Got it: 好 $&',
  ])
})

it('a button of a scenario that is not active is not said to be too late', () => {
  expect(answersTo({ kind: 'not_active' })).toEqual([
    '這項服務目前沒有開放。',
    'This is not available at the moment.',
  ])
})
