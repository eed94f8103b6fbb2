import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reasonToInstall } from '../../../dev/install.mjs'
import { type Api, startApi } from '../../fixtures/api.ts'

/** A package of its own, with a generator that is not ours and the TypeScript that it needs. */
const folder = resolve(import.meta.dirname, '../../outside/typescript')

let api: Api
let url: string
beforeAll(async () => {
  const reason = reasonToInstall(folder)
  if (reason) throw new Error(`${reason}; run \`node dev/install.mjs test/outside/typescript\``)
  api = await startApi()
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
  for (const output of ['generated', 'dist']) rmSync(join(folder, output), { recursive: true, force: true })
})
afterAll(() => api?.close())

/** Runs a script of the package with Node; fails with its output. */
async function run(script: string, ...args: string[]): Promise<string> {
  const ran = promisify(execFile)(process.execPath, [script, ...args], { cwd: folder })
  const { stdout } = await ran.catch(({ stdout, stderr }) => {
    throw new Error(`${script} failed:\n${stdout}${stderr}`)
  })
  return stdout
}

it('a TypeScript client generated from /openapi.json compiles under strict, and works', async () => {
  const output = ['--output', 'generated', '--no-log-file', '--silent']
  await run('node_modules/@hey-api/openapi-ts/bin/run.js', '--input', `${url}/openapi.json`, ...output)
  await run('node_modules/typescript/bin/tsc')
  const printed = await run('dist/use.js', url, api.keys.a, api.sessions.approver)
  expect(JSON.parse(printed)).toEqual({
    recipients: 3,
    state: 'draft',
    content: ['校園開放日', 'uri'],
    listed: true,
    invalid: 'audience.uids: must not be empty',
    violation: 'messages[0].url: https_required',
    early: 'it is draft',
    unknown: 'No such message. Check the id.',
    approved: { approved: true },
    rejected: { state: 'rejected' },
  })
})
