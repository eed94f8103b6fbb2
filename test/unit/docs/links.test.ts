import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
})
  .toString()
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(root, name)))
/** The text of a page without its blocks of code. */
const proseOf = (name: string) => readFileSync(join(root, name), 'utf8').replaceAll(/^```.*?^```$/gms, '')

/** The anchors of a page's headings, as the usual viewers of Markdown make them. */
function anchorsOf(name: string): string[] {
  const headings = [...proseOf(name).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!)
  return headings.map((heading) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The links of a page that lead to no file, or to a heading that its target does not have. */
function brokenLinks(name: string): string[] {
  const links = [...proseOf(name).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
  return links.filter((link) => {
    if (/^(https?|mailto):/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? name : relative(root, resolve(root, dirname(name), path))
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
}

it.each(pages)('every link of %s leads to a file, and to a heading that it has', (name) => {
  expect(brokenLinks(name)).toEqual([])
})
