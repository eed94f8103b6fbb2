import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commonErrors, operationsOn, withErrorTable } from '../../../dev/docs/error-table.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { keysOf } from '../../../src/contract/enums.ts'
import { errorDetails } from '../../../src/contract/error-details.ts'
import { errorStatus } from '../../../src/contract/errors.ts'
import { rules } from '../../../src/contract/rules.ts'

const folder = resolve(import.meta.dirname, '../../../docs/api')
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
const read = (name: string) => readFileSync(resolve(folder, name), 'utf8')

const index = 'README.md'
/** Pages about no operations of their own. */
const guides = ['first-program.md', 'first-integration.md', 'testing.md', 'going-live.md', 'reasons.md']
const resources = pages.filter(
  (name) => ![index, 'errors.md', 'limits.md', 'who-may-what.md', ...guides].includes(name),
)
const mentions = resources.flatMap((page) =>
  operationsOn(read(page)).map((operation) => ({ page, operation })),
)

describe('docs/api', () => {
  it.each(Object.entries<Endpoint>(endpoints))(
    'describes %s on exactly one page',
    (_id, { method, path }) => {
      expect(
        mentions.filter(({ operation }) => operation === `${method} ${path}`).map(({ page }) => page),
      ).toHaveLength(1)
    },
  )

  it('describes only existing operations', () => {
    const served = new Set(Object.values<Endpoint>(endpoints).map(({ method, path }) => `${method} ${path}`))
    expect(mentions.filter(({ operation }) => !served.has(operation))).toEqual([])
  })

  it('names every code of an error once, with its status', () => {
    const rows = [...read('errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)]
    expect(Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]))).toEqual(errorStatus)
    expect(rows).toHaveLength(Object.keys(errorStatus).length)
  })

  it('names every rule of issues once, in the order of the list', () => {
    const [, section = ''] = read('errors.md').split('\n## Rules of issues\n')
    const rows = [...section.split('\n## ')[0]!.matchAll(/^\| `(\w+)` \| .*\| \S.* \|$/gm)]
    expect(rows.map(([, rule]) => rule)).toEqual(keysOf(rules))
  })

  it('says which errors have details', () => {
    const rows = [...read('errors.md').matchAll(/^\| \d{3} \| `(\w+)` \|.*\| (.*)\|$/gm)]
    const told = rows.filter(([, , details]) => details!.trim() !== '').map(([, code]) => code)
    const own = Object.values<Endpoint>(endpoints).flatMap(({ details = {} }) => Object.keys(details))
    const typed = keysOf(errorDetails).filter((code) => errorDetails[code] !== null || own.includes(code))
    expect(told.sort()).toEqual(typed.sort())
  })

  it.each(resources)('lists on %s the errors of its operations (npm run docs writes them)', (name) => {
    const page = read(name)
    expect(page).toContain('\n## Errors\n')
    expect(withErrorTable(page)).toBe(page)
  })

  it('lists every code somewhere, and those of every operation in one place', () => {
    const [, common = ''] = read('errors.md').split('\n## Errors of every operation\n')
    for (const code of commonErrors) expect(common).toContain(`\`${code}\``)
  })

  it('drops a code that no operation of a page answers, and adds one that has no row', () => {
    const page = read('topics.md')
    const row = (code: string) => page.split('\n').find((line) => line.includes(`\`${code}\` |`))!
    const without = page.replace(`${row('not_found')}\n`, '')
    expect(withErrorTable(without)).toContain(
      '| 404 `not_found` | no such resource, or it belongs to another unit |',
    )
    const wrong = page.replace(row('forbidden'), `| 400 \`dag_invalid\`, 403 \`forbidden\` | no |`)
    expect(withErrorTable(wrong)).toBe(page.replace(row('forbidden'), '| 403 `forbidden` | no |'))
  })

  it.each(resources)('has on %s an example with its answer, each no longer than a screen', (name) => {
    const blocks = [...read(name).matchAll(/^```(\w+)\n(.*?)^```\n(\n```json\n)?/gms)]
    for (const [, , text] of blocks) expect(text!.split('\n').length, text).toBeLessThan(30)
    const pasted = blocks.filter(([, kind, text]) => kind === 'sh' && text!.includes('$(demo '))
    expect(pasted.length).toBeGreaterThan(0)
    for (const [, , text, answer] of pasted) expect(answer, text).toBeDefined()
  })

  /** Their sessions are made on the command line. */
  const ofAdministrators = ['administration.md', 'lookups.md']
  it.each(resources.filter((name) => !ofAdministrators.includes(name)))(
    'shows on %s the call in Python, behind the one with curl',
    (name) => {
      const kinds = [...read(name).matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, kind, text]) =>
        kind === 'python' && text!.includes('from carillon import') ? 'carillon' : kind,
      )
      expect(kinds.slice(0, 3)).toEqual(['sh', 'json', 'carillon'])
    },
  )

  it('is linked from its index, and has no broken links', () => {
    for (const page of pages) {
      const links = [...read(page).matchAll(/\]\(([^)#:]+\.md)(?:#[^)]*)?\)/g)].map(([, link]) => link!)
      for (const link of links)
        expect(() => readFileSync(resolve(folder, link)), `${page}: ${link}`).not.toThrow()
      if (page === index)
        for (const other of pages.filter((name) => name !== index)) expect(links).toContain(other)
    }
  })
})
