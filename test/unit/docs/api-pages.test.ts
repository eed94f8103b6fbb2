import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { errorStatus } from '../../../src/contract/errors.ts'

const folder = resolve(import.meta.dirname, '../../../docs/api')
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
const read = (name: string) => readFileSync(resolve(folder, name), 'utf8')

/**
 * A page describes an operation in a row of a table, or under a heading, that begins with it; elsewhere it is
 * mentioned.
 */
const described = /^(?:\| |#+ )`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/gm
const index = 'README.md'
const resources = pages.filter((name) => ![index, 'errors.md', 'who-may-what.md'].includes(name))
const found = resources.flatMap((page) =>
  [...read(page).matchAll(described)].map(([, operation]) => ({ page, operation: operation! })),
)

describe('docs/api', () => {
  it.each(Object.entries<Endpoint>(endpoints))(
    'describes %s on exactly one page',
    (_id, { method, path }) => {
      expect(
        found.filter(({ operation }) => operation === `${method} ${path}`).map(({ page }) => page),
      ).toHaveLength(1)
    },
  )

  it('describes only existing operations', () => {
    const served = new Set(Object.values<Endpoint>(endpoints).map(({ method, path }) => `${method} ${path}`))
    expect(found.filter(({ operation }) => !served.has(operation))).toEqual([])
  })

  it('names every code of an error once, with its status', () => {
    const rows = [...read('errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)]
    expect(Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]))).toEqual(errorStatus)
    expect(rows).toHaveLength(Object.keys(errorStatus).length)
  })

  it('names only existing error codes', () => {
    for (const page of resources) {
      const [, errors = ''] = read(page).split('\n## Errors\n')
      const codes = [...errors.matchAll(/^\| (?:\d{3} )?((?:(?:\d{3} )?`\w+`(?:, )?)+) \|/gm)].flatMap(
        ([, cell]) => [...cell!.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
      )
      expect(Object.keys(errorStatus), page).toEqual(expect.arrayContaining(codes))
    }
  })

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
