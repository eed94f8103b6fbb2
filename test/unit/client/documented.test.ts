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

it('every type of client/src that a caller meets is exported', () => {
  const index = readFileSync(join(folder, 'index.ts'), 'utf8')
  /** Of the library's own works. */
  const inner = ['Send', 'RepeatOptions']
  const names = readdirSync(folder)
    .filter((name) => !['index.ts', 'types.ts'].includes(name))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/^export (?:class|type) (\w+)/gm),
    ])
    .map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(30)
  const exported = new Set(
    [...index.matchAll(/^export (.*) from/gm)].flatMap(([, list]) => list!.match(/\w+/g)!),
  )
  expect(names.filter((name) => !inner.includes(name) && !exported.has(name))).toEqual([])
  expect(index).toContain("export type * from './types.ts'")
})
