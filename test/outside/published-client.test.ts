import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPublishedClient, runIn } from '../fixtures/published-client.ts'
import { run } from './python/environment.ts'
import { type Served, serveForOutsiders } from './serve.ts'

const project = mkdtempSync(join(tmpdir(), 'carillon-client-'))
let served: Served
beforeAll(async () => {
  installPublishedClient(project)
  writeFileSync(join(project, 'use.js'), program)
  served = await serveForOutsiders()
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

/** Each comes as a package of its own. */
describe.each(['20', '22', '24'])('the library, installed from its archive, with Node %s', (version) => {
  it('creates a message, reads it and understands an error', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-node-'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
    runIn(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', `node@${version}`)
    const { keys } = served.api
    const args = ['use.js', served.url, keys.a, 'news']
    const { code, output } = await run(join(folder, 'node_modules/node/bin/node'), args, { cwd: project })
    rmSync(folder, { recursive: true })
    expect(code, output).toBe(0)
    expect(JSON.parse(output)).toEqual([`v${version}`, true, 'draft', true, 'not_found'])
  })
})
