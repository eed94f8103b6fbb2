import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientPackagePath } from '../../src/api/guide/client-package.ts'
import { installServedClient, root, runIn } from '../fixtures/published-client.ts'
import { run } from './python/environment.ts'
import { type Served, serveForOutsiders } from './serve.ts'

const project = mkdtempSync(join(tmpdir(), 'carillon-client-'))
let served: Served
beforeAll(async () => {
  served = await serveForOutsiders()
  await installServedClient(project, served.url)
  writeFileSync(join(project, 'use.js'), program)
})
afterAll(async () => {
  await served?.stop()
  rmSync(project, { recursive: true })
})

const program = `
  import { Carillon, CarillonError } from '@carillon/client'
  const [, , baseUrl, key, categoryId] = process.argv
  const carillon = new Carillon({ baseUrl, key })
  const { id, created } = await carillon.messages.create(
    { categoryId, audience: { kind: 'all' }, messages: [{ kind: 'text', text: { 'zh-TW': '校園開放日' } }] },
    { idempotencyKey: 'node-' + process.version },
  )
  const { state } = await carillon.messages.get(id)
  const error = await carillon.messages.get('nothing').catch((error) => error)
  console.log(JSON.stringify([process.version.split('.')[0], created, state, error instanceof CarillonError, error.code]))`

it('is packed in a fresh clone by the command of its README', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'carillon-clone-'))
  await runIn(clone, 'git', ['clone', '--quiet', '--depth', '1', pathToFileURL(root).href, '.'])
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8')
  const [command] = readme.match(/npm run pack -w client/)!
  const bare = process.env.PATH!.split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const env = { ...process.env, PATH: bare.join(delimiter) }
  const { code, output } = await run('sh', ['-c', `npm ci && ${command}`], { cwd: clone, env })
  expect(code, output).toBe(0)
  expect(existsSync(join(clone, 'dist', clientPackagePath))).toBe(true)
  rmSync(clone, { recursive: true })
})

/** Each comes as a package of its own. */
describe.each(['20', '22', '24'])('the library, installed from its archive, with Node %s', (version) => {
  it('creates a message, reads it and understands an error', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-node-'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
    await runIn(folder, 'npm', ['install', '--silent', '--no-audit', '--no-fund', `node@${version}`])
    const { keys } = served.api
    const args = ['use.js', served.url, keys.a, 'news']
    const { code, output } = await run(join(folder, 'node_modules/node/bin/node'), args, { cwd: project })
    rmSync(folder, { recursive: true })
    expect(code, output).toBe(0)
    expect(JSON.parse(output)).toEqual([`v${version}`, true, 'draft', true, 'not_found'])
  })
})
