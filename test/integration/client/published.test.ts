import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installPublishedClient, root, runIn } from '../../fixtures/published-client.ts'

const elsewhere = mkdtempSync(join(tmpdir(), 'carillon-client-'))
beforeAll(() => installPublishedClient(elsewhere))
afterAll(() => rmSync(elsewhere, { recursive: true }))

it('the library runs outside of this repository, as JavaScript', () => {
  writeFileSync(
    join(elsewhere, 'use.js'),
    `import { Carillon, CarillonError } from '@carillon/client'
     const error = await new Carillon({ baseUrl: 'http://127.0.0.1:1', key: 'x', maxRetries: 0 }).messages.list().catch((e) => e)
     console.log(error instanceof CarillonError, error.code)`,
  )
  expect(runIn(elsewhere, process.execPath, 'use.js')).toBe('true unreachable\n')
})

it('its types are understood there', () => {
  writeFileSync(
    join(elsewhere, 'use.ts'),
    `import { type CallbackEvent, Carillon, type MessageDetail, type Messages, type Subjects } from '@carillon/client'
     const hub = new Carillon({ baseUrl: 'x', key: 'x' })
     export const one: Promise<MessageDetail> = hub.messages.get('x')
     export const all: AsyncIterable<{ id: string }> = hub.messages.list()
     // @ts-expect-error there is no such kind
     hub.messages.create({ categoryId: 'x', templateId: 'x', audience: { kind: 'nobody' } })
     declare const maybe: string | undefined
     const options = { idempotencyKey: maybe }
     const settings = { reference: maybe, scheduleAt: maybe, unitId: maybe }
     hub.messages.send({ categoryId: 'x', templateId: 'x', audience: { kind: 'all' }, ...settings }, options)
     new Carillon({ baseUrl: 'x', key: 'x', timeoutMs: undefined, fetch: undefined })
     export async function tagsOf(messages: Messages, subjects: Subjects, event: CallbackEvent): Promise<string[]> {
       if (event.type === 'delivery.failed') for (const { uid, reason } of event.data.failures) console.log(uid, reason)
       const found = await subjects.get('x')
       return found.detail === 'full' ? found.tags : []
     }`,
  )
  compile('use.ts')
})

it('the examples of its README are understood there, under strict', () => {
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code!)
  expect(examples.length).toBeGreaterThan(3)
  writeFileSync(join(elsewhere, 'readme.ts'), [surroundings, inReadme, ...examples].join('\n'))
  compile('readme.ts')
})

it('the examples of its comments are understood there, under strict', () => {
  const folder = join(root, 'client/src')
  const comments = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/@example\n((?: +\* ?.*\n)*?) +\*\//g)].map(
      ([, text]) => text!.replaceAll(/^ +\* ?/gm, ''),
    ),
  )
  expect(comments.length).toBeGreaterThan(10)
  const programs = comments.map((code) => `async () => {\n${code}}`)
  const imports =
    "import { Carillon, CarillonError, type CategoryPage, nonEmpty, verifyLookup } from '@carillon/client'"
  const inComments = `
    declare const carillon: Carillon
    declare const templateId: string
    declare const secret: string
    declare const request: Request
    declare function readFile(name: string): Promise<string>`
  const program = `export default [${programs.join(',\n')}]`
  writeFileSync(join(elsewhere, 'comments.ts'), [imports, surroundings, inComments, program].join('\n'))
  compile('comments.ts')
})

it('the programs of docs/api are understood there, under strict', () => {
  const folder = join(root, 'docs/api')
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const programs = pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, code], index) => {
      const file = page.replace('.md', `-${index}.mts`)
      writeFileSync(join(elsewhere, file), code!)
      return file
    }),
  )
  expect(programs).toEqual(expect.arrayContaining(['first-integration-0.mts', 'lookups-0.mts']))
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  compile(programs, types)
})

/** What the programs of readers have around the examples. */
const surroundings = `
  declare const process: { env: Record<string, string | undefined> }
  declare const id: string`

const inReadme = `
  declare const request: { headers: Record<string, string> }
  declare const rawBody: string
  declare function findOrder(subject: string, orderId: unknown): Promise<object>`

function compile(files: string | string[], types = ['--types', '']): void {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const options = ['--noEmit', ...strict, '--module', 'nodenext', '--lib', 'es2024,dom', ...types]
  runIn(elsewhere, join(root, 'node_modules/.bin/tsc'), ...options, ...[files].flat())
}
