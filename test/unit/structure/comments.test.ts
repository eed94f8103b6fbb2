import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const exported = /^export (?:async )?(?:function\*?|class) (\w+)/
/** In the contract a name with a capital is a schema. */
const schema = /^export const ([A-Z]\w+)/

/** A function of so many lines can be read at once, and says by its name what it does. */
const readAtOnce = 8

/** Exports of a file that need a doc comment and have none. The description of a schema is one, which callers read too. */
function bare(name: string): string[] {
  const lines = readFileSync(join(src, name), 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    const isSchema = name.startsWith('contract/') && schema.test(line)
    const what = exported.exec(line)?.[1] ?? (isSchema ? schema.exec(line)![1] : undefined)
    if (what === undefined || lines[at - 1]?.trimEnd().endsWith('*/')) return []
    if (isSchema ? isDescribed(lines.slice(at)) : isPlain(lines.slice(at))) return []
    return [`${name}: ${what}`]
  })
}

/** Whether the statement in the first of these lines has `.meta({ description })`. */
function isDescribed([first = '', ...lines]: string[]): boolean {
  const end = lines.findIndex((line) => /^(export|const|function|type|\/\*\*)/.test(line))
  return /\bdescription:/.test([first, ...lines.slice(0, end)].join('\n'))
}

/** Whether the function in the first of these lines is short and throws nothing itself. */
function isPlain(lines: string[]): boolean {
  const body = lines.slice(0, lines.findIndex((line) => /^[}]/.test(line)) + 1)
  return !/^export class/.test(lines[0]!) && body.length <= readAtOnce && !/\bthrow\b/.test(body.join('\n'))
}

test('every exported class and schema has a doc comment, and each function that is long or throws', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap(bare)).toEqual([])
})
