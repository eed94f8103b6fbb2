import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const pages = readdirSync(join(root, 'docs/design')).filter((name) => name !== 'README.md')
/** What has landed is not rewritten: its comments name the pages of their time. */
const landed = /^(src\/db\/migrations|test\/histories|test\/golden)\//
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => /\.(ts|mjs|md|sh|sql|yml)$/.test(file) && !landed.test(file))

it('every page of design is in the index, and ends with what it was chosen over', () => {
  const index = read('docs/design/README.md')
  expect(pages.filter((page) => !index.includes(`(${page})`))).toEqual([])
  expect(pages.filter((page) => !/\n## Why not/.test(read(`docs/design/${page}`)))).toEqual([])
})

it('a page of design that is cited exists', () => {
  const cited = files.flatMap((file) =>
    [...read(file).matchAll(/docs\/design\/([\w-]+\.md)/g)].map(([, page]) => `${file}: ${page}`),
  )
  expect(cited.length).toBeGreaterThan(50)
  expect(cited.filter((one) => ![...pages, 'README.md'].includes(one.split(': ')[1]!))).toEqual([])
})

it('the numbered decisions of before are cited nowhere', () => {
  const old = 'docs/decisions'
  const here = 'test/unit/docs/design.test.ts'
  expect(files.filter((file) => file !== here && read(file).includes(old))).toEqual([])
})
