import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isClientPackageOutdated } from '../../../dev/install.mjs'
import { clientPackagePath } from '../../../src/api/guide/client-package.ts'
import { startApi } from '../../fixtures/api.ts'
import { connectLibrary } from '../../fixtures/library.ts'
import { installServedClient, root, runIn } from '../../fixtures/published-client.ts'
import { forFile } from '../../harness/for-file.ts'

const elsewhere = mkdtempSync(join(tmpdir(), 'carillon-client-'))
const api = forFile(startApi)
const library = forFile(() => connectLibrary(api))
beforeAll(() => installServedClient(elsewhere, library.baseUrl))
afterAll(() => rmSync(elsewhere, { recursive: true }))

it('the library is served as it is now, with its hash, and npm writes that down', async () => {
  const { headers, rawPayload } = await api.app.inject(clientPackagePath)
  expect(headers).toMatchObject({ 'content-type': 'application/gzip', 'cache-control': 'no-cache' })
  const [digest, name] = (await api.app.inject(`${clientPackagePath}.sha256`)).body.trim().split('  ')
  expect(clientPackagePath).toBe(`/client/${name}`)
  expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(digest)
  const lock = JSON.parse(readFileSync(join(elsewhere, 'package-lock.json'), 'utf8'))
  expect(lock.packages['node_modules/@carillon/client']).toMatchObject({
    resolved: `${library.baseUrl}${clientPackagePath}`,
    integrity: `sha512-${createHash('sha512').update(rawPayload).digest('base64')}`,
  })
  // Older than the sources: `node dev/install.mjs` packs it.
  expect(isClientPackageOutdated(root)).toBe(false)
})

it('the library runs outside of this repository, as JavaScript', async () => {
  writeFileSync(
    join(elsewhere, 'use.js'),
    `import { Carillon, CarillonError } from '@carillon/client'
     const error = await new Carillon({ baseUrl: 'http://127.0.0.1:1', key: 'x', maxRetries: 0 }).messages.list().catch((e) => e)
     console.log(error instanceof CarillonError, error.code)`,
  )
  expect(await runIn(elsewhere, process.execPath, ['use.js'])).toBe('true unreachable\n')
})

it('its types are understood there', async () => {
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
  await compile('use.ts')
})

it('the examples of its README are understood there, under strict', async () => {
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code!)
  expect(examples.length).toBeGreaterThan(3)
  writeFileSync(join(elsewhere, 'readme.ts'), [surroundings, inReadme, ...examples].join('\n'))
  await compile('readme.ts')
})

it('the examples of its comments are understood there, under strict', async () => {
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
  await compile('comments.ts')
})

it('the programs of docs/api are understood there, under strict', async () => {
  const folder = join(root, 'docs/api')
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const programs = pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, code], index) => {
      const file = page.replace('.md', `-${index}.mts`)
      writeFileSync(join(elsewhere, file), code!)
      return file
    }),
  )
  expect(programs).toEqual(
    expect.arrayContaining(['first-program-0.mts', 'first-integration-0.mts', 'lookups-0.mts']),
  )
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  await compile(programs, types)
})

/** What the programs of readers have around the examples. */
const surroundings = `
  declare const process: { env: Record<string, string | undefined> }
  declare const id: string`

const inReadme = `
  declare const request: { headers: Record<string, string> }
  declare const rawBody: string
  declare function findOrder(subject: string, orderId: unknown): Promise<object>`

async function compile(files: string | string[], types = ['--types', '']): Promise<void> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const options = ['--noEmit', ...strict, '--module', 'nodenext', '--lib', 'es2024,dom', ...types]
  await runIn(elsewhere, join(root, 'node_modules/.bin/tsc'), [...options, ...[files].flat()])
}
