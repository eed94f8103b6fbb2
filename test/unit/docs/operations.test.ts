import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { isOneOf, keysOf } from '../../../src/contract/enums.ts'
import { errorStatus } from '../../../src/contract/errors.ts'
import { describeApi } from '../../../src/contract/openapi/document.ts'

const root = resolve(import.meta.dirname, '../../..')
const table = Object.values<Endpoint>(endpoints).map(({ method, path }) => ({ method, path }))

/** Of the collector of traces. */
const others = ['/v1/traces']

/** Everything that tells people of paths as they are: pages (wire-words.md also has former ones), the library, and the API itself. */
const texts = new Map([
  ...['docs', 'docs/api', 'docs/design', 'client', 'client/src', '.'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name !== 'wire-words.md')
      .filter((name) => name.endsWith('.md') || (folder === 'client/src' && name !== 'types.ts'))
      .map((name) => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')] as const),
  ),
  ['/openapi.json', JSON.stringify(describeApi(endpoints))],
])

/** Whether a path, in which a segment may be a value or a variable of a shell, is one of the table. */
function isServed(mention: string, method?: string): boolean {
  const segments = mention
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .split('/')
  return table.some(({ method: served, path }) => {
    const parts = path.split('/')
    const fits = parts.every((part, at) => part === segments[at] || (/^\{/.test(part) && segments[at]))
    return fits && parts.length === segments.length && (method === undefined || method === served)
  })
}

/** What is written of paths in general: the beginning of several. */
const isPrefix = (mention: string) =>
  mention.endsWith('/') && table.some(({ path }) => path.startsWith(mention))

const operation = /\b(GET|POST|PUT|PATCH|DELETE)(?:`| |", f?"|', ')+(\/v1\/[\w{}$./'[\]-]+)/g
const path = /(?<![\w.])\/v1\/[\w{}$./-]+/g

it.each([...texts])('every operation that %s names is in the contract', (_name, text) => {
  const wrong = [...text.matchAll(operation)].filter(
    ([, method, mention]) => !isServed(mention!.replace(/[.']+$/, ''), method),
  )
  expect(wrong.map(([whole]) => whole)).toEqual([])
})

it.each([...texts])('every path that %s names is in the contract', (_name, text) => {
  const paths = [...text.matchAll(path)]
    .map(([mention]) => mention.replace(/[.]+$/, ''))
    .filter((mention) => !others.includes(mention) && !mention.includes('${'))
  expect(paths.filter((mention) => !isServed(mention) && !isPrefix(mention))).toEqual([])
})

it.each([...texts])('every status that %s gives an error is the one of its code', (_name, text) => {
  const statuses = [...text.matchAll(/\b([45]\d\d) `?([a-z]+(?:_[a-z]+)*)`?(?![\w])/g)].filter(([, , code]) =>
    isOneOf(keysOf(errorStatus), code!),
  )
  const wrong = statuses.filter(
    ([, status, code]) => errorStatus[code as keyof typeof errorStatus] !== Number(status),
  )
  expect(wrong.map(([whole]) => whole)).toEqual([])
})

it('what these tests read is not nothing', () => {
  const all = [...texts.values()].join('\n')
  expect([...all.matchAll(operation)].length).toBeGreaterThan(150)
  expect([...all.matchAll(path)].length).toBeGreaterThan(400)
})
