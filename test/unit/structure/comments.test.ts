import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const exported = /^export (?:async )?(?:function\*?|class) (\w+)/
/** In the contract a name with a capital is a schema. */
const schema = /^export const ([A-Z]\w+)/

/** Exports of a file without a doc comment. */
function bare(name: string): string[] {
  const lines = readFileSync(join(src, name), 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    const what =
      exported.exec(line)?.[1] ?? (name.startsWith('contract/') ? schema.exec(line)?.[1] : undefined)
    return what === undefined || lines[at - 1]?.trimEnd().endsWith('*/') ? [] : [`${name}: ${what}`]
  })
}

test('every exported function, class and schema has a doc comment', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap(bare)).toEqual([])
})
