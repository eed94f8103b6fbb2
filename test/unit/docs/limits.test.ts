import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { bounds } from '../../../src/contract/limits.ts'

it('the page of limits has each bound of what is stored, with its number and what to do at it', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/api/limits.md'), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| (A|An) /.test(line))
  const expected = Object.values(bounds).map(
    ({ most, each, what, instead }) => `| ${each} | ${most.toLocaleString('en')} ${what} | ${instead} |`,
  )
  expect(rows).toEqual(expected)
})
