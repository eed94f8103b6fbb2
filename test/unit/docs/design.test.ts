import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const folder = 'docs/design'
const pages = readdirSync(join(root, folder)).filter((name) => name !== 'README.md')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
/** What has landed is not rewritten: its comments name the pages of their time. */
const landed = /^(test\/histories|test\/golden)\//
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter(
    (file) => /\.(ts|mjs|md|sh|sql|yml)$/.test(file) && !landed.test(file) && existsSync(join(root, file)),
  )

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The citations of design pages in a file, as `page` or `page#anchor`: paths in comments, and links. */
function citedBy(file: string): string[] {
  const text = read(file)
  const paths = [...text.matchAll(/docs\/design\/([\w-]+\.md(?:#[\w-]+)?)/g)].map(([, page]) => page!)
  const links = [...text.matchAll(/\]\(([^):\s]+\.md(?:#[^)\s]+)?)\)/g)]
    .map(([, link]) => relative(folder, join(dirname(file), link!)))
    .filter((link) => !link.startsWith('..'))
  return [...paths, ...(file.endsWith('.md') ? links : [])]
}

function leadsTo(cited: string): boolean {
  const [page, anchor] = cited.split('#')
  if (!existsSync(join(root, folder, page!))) return false
  return anchor === undefined || anchorsOf(read(join(folder, page!))).includes(anchor)
}

describe('a page of docs/design', () => {
  it('is in the index, which names no other', () => {
    const index = [...read(`${folder}/README.md`).matchAll(/^- \[.*?\]\(([\w-]+\.md)\)/gm)].map(
      ([, page]) => page,
    )
    expect(index.sort()).toEqual(pages.sort())
  })

  it.each(pages)('%s is named by its topic, and ends with what it was chosen over', (page) => {
    expect(page).not.toMatch(/\d/)
    const headings = read(`${folder}/${page}`).match(/^## .*$/gm)
    expect(headings?.at(-1)).toBe('## Why not …')
  })

  it.each(pages)('%s says what holds, without what held before', (page) => {
    expect(read(`${folder}/${page}`)).not.toMatch(/\bamended\b|\bdecisions? \d|\bpages? \d/i)
  })

  it.each(pages)('%s names files that exist', (page) => {
    const named = [...read(`${folder}/${page}`).matchAll(/`((?:src|test|dev|bench|deploy)\/[\w./-]+)`/g)]
    expect(named.map(([, file]) => file!).filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})

it('each citation of docs/design leads to a page, and to a heading where it names one', () => {
  const cited = files.flatMap((file) => citedBy(file).map((page) => ({ file, page })))
  expect(cited.length).toBeGreaterThan(150)
  expect(cited.filter(({ page }) => !leadsTo(page))).toEqual([])
})

it('only what has landed cites the numbered pages of before', () => {
  const old = /docs\/decisions|\]\([^)]*\bdecisions\//
  const here = 'test/unit/docs/design.test.ts'
  expect(files.filter((file) => file !== here && old.test(read(file)))).toEqual([])
})
