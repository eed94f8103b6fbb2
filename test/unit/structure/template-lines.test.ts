import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** No formatter breaks a line of a template. */
const longest = 160

/** The numbers of the lines of a text that a template of `html` stands on. */
function templateLines(text: string): Set<number> {
  const lines = new Set<number>()
  const lineOf = (at: number) => text.slice(0, at).split('\n').length
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (isTemplate(node))
      for (let line = lineOf(node.start); line <= lineOf(node.end); line++) lines.add(line)
    else for (const inner of Object.values(node)) visit(inner)
  }
  visit(parseAst(text, { lang: 'ts' }))
  return lines
}

function isTemplate(node: object): node is { start: number; end: number } {
  if (!('type' in node && node.type === 'TaggedTemplateExpression' && 'tag' in node)) return false
  return (node.tag as { name?: string }).name === 'html'
}

function tooLong(name: string, text: string): string[] {
  const lines = templateLines(text)
  return text
    .split('\n')
    .flatMap((line, at) => (line.length > longest && lines.has(at + 1) ? [`${name}:${at + 1}`] : []))
}

test('a line of a template is short enough to read: its parts are named', () => {
  const templates = files
    .map((name) => ({ name, text: readFileSync(join(src, name), 'utf8') }))
    .filter(({ text }) => text.includes('html`'))
  expect(templates.length).toBeGreaterThan(40)
  expect(templates.flatMap(({ name, text }) => tooLong(name, text))).toEqual([])
  const [short, long] = ['<p>a</p>', `<p>${'a'.repeat(longest)}</p>`]
  expect(tooLong('page.ts', `html\`${short}\n${long}\``)).toEqual(['page.ts:2'])
  expect(tooLong('page.ts', `const text = '${long}'\nhtml\`${short}\``)).toEqual([])
})
