import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../harness/database.ts'
import { spawnProcess } from '../../harness/spawn.ts'

it.each([
  ['API', ['src/server.ts'], 1],
  ['worker', ['src/worker.ts'], 1],
  ['command line', ['src/cli.ts', 'doctor'], 2],
])('the %s does not start in production with weak settings, and names all of them', async (_, args, code) => {
  const process = await spawnProcess('weak', args, {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://carillon:hush@127.0.0.1:1/none',
    EVENT_SIGNING_KEYS: 'sis-2026:change-me',
    PUBLIC_URL: 'http://hub.example.edu',
    PORT: '-1',
  })
  expect(await process.exited).toMatchObject({ code })
  for (const name of ['DATABASE_URL', 'EVENT_SIGNING_KEYS', 'PUBLIC_URL', 'PORT'])
    expect(process.log()).toMatch(new RegExp(`^  ${name} .*\\. .*\\.$`, 'm'))
  expect(process.log()).not.toMatch(/hush|change-me| at /)
})

it('a process reads its secrets from files', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const folder = mkdtempSync(join(tmpdir(), 'carillon-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'database-url'), `${database.url}\n`)
  const api = await spawnProcess('api', ['src/server.ts'], {
    DATABASE_URL_FILE: join(folder, 'database-url'),
    PORT: '0',
  })
  await api.logged(/Server listening at/)
  const [, url] = /Server listening at (http:[^"]+)/.exec(api.log())!
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await api.stop()
})
