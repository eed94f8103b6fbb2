import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { analyse } from 'scslre'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** Settings are written by the operator, read once, and short. */
const ofOperators = /^src\/config/

const files = ['src', 'client/src']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => name.endsWith('.ts') && !ofOperators.test(name))

type Literal = { file: string; pattern: string; flags: string }

function literalsIn(file: string): Literal[] {
  const literals: Literal[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && node.regex) literals.push({ file, ...(node.regex as Omit<Literal, 'file'>) })
    for (const inner of Object.values(node)) visit(inner)
  }
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }))
  return literals
}

/**
 * The analysis tries texts that repeat one character. A lazy stretch behind an opening of several is looked for from each
 * opening to the end of the text: `replaceBetween` does the same in one pass.
 */
function isSlow({ pattern: source, flags }: Omit<Literal, 'file'>): boolean {
  if (source.includes('.*?')) return true
  return analyse({ source, flags }, { assumeRejectingSuffix: false }).reports.length > 0
}

it('no regular expression takes time that grows with the square of a text', () => {
  const literals = files.flatMap(literalsIn)
  expect(literals.length).toBeGreaterThan(150)
  expect(literals.filter(isSlow)).toEqual([])
})

it('an expression that does is found', () => {
  expect(isSlow({ pattern: '\\{\\{.*?\\}\\}', flags: 'gs' })).toBe(true)
  expect(isSlow({ pattern: '\\{%.*?%\\}', flags: 'gs' })).toBe(true)
  expect(isSlow({ pattern: '\\S+@\\S+', flags: '' })).toBe(true)
  expect(isSlow({ pattern: '(?<!\\S)\\S+@\\S+', flags: '' })).toBe(false)
})
