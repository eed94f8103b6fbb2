import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const src = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
  .join('\n')
const rows = [
  ...readFileSync(join(root, 'docs/glossary.md'), 'utf8').matchAll(/^\| (.+?) \| (.+) \| (.+) \|$/gm),
].slice(1)

it('the glossary has at most 40 words, each once', () => {
  const words = rows.map(([, word]) => word)
  expect(words.length).toBeGreaterThan(20)
  expect(words.length).toBeLessThanOrEqual(40)
  expect(new Set(words).size).toBe(words.length)
})

it.each(rows.map(([, word, , where]) => ({ word, where: where! })))(
  'says of $word where it is, by names that exist',
  ({ where }) => {
    const names = [...where.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name!.match(/[\w-]{4,}/g) ?? [])
    expect(names.filter((name) => !src.includes(name))).toEqual([])
  },
)
