import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { commonWords, isCommonWord } from '../../../../src/services/scenarios/check-content.ts'

it.each(['hello', ' ＨＥＬＬＯ ', 'Hello!', '「幫助」', '您 好', '?', '？！'])(
  '%j is common to all units',
  (text) => {
    expect(isCommonWord(text)).toBe(true)
  },
)

it.each(['help desk', 'helper', '圖書館說明', '導覽', 'tour', '🎉'])('%j may be one unit’s', (text) => {
  expect(isCommonWord(text)).toBe(false)
})

it('the page of scenarios lists them all', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/api/scenarios.md'), 'utf8')
  const [, words] = /\*\*Words common to all units\*\* \(([^)]+)\)/.exec(page) ?? []
  expect(words?.split(/,\s+/)).toEqual(commonWords)
})
