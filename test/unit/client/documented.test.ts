import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const folder = resolve(import.meta.dirname, '../../../client/src')

/** A method of a class, or something that a file exports. */
const member =
  /^(?: {2}(?!constructor|if|for)[a-z]\w*[<(].*[{(]|export (?:async )?(?:function|class|const|type) \w.*)$/

it.each(readdirSync(folder))('every public member of client/src/%s says what it is', (name) => {
  const lines = readFileSync(join(folder, name), 'utf8').split('\n')
  const bare = lines.filter((line, at) => member.test(line) && !lines[at - 1]?.endsWith('*/'))
  expect(lines.some((line) => member.test(line))).toBe(true)
  expect(bare).toEqual([])
})
