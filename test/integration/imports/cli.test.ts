import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { importWrite } from '../../../src/background/tasks.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { holdTransaction } from '../../harness/lock-waits.ts'

let folder: string
const fresh = forFile(freshDatabase)
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-import-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

const env = () => ({ DATABASE_URL: fresh.url })
const countPeople = async (prefix: string) => {
  const rows = fresh.db.selectFrom('subject').select('id').where('uid', 'like', `${prefix}%`)
  return (await rows.execute()).length
}

function write(name: string, lines: string[]): string {
  const file = join(folder, name)
  writeFileSync(file, lines.join('\n'))
  return file
}

it('carillon import writes people and reports rejected lines', async () => {
  const file = write('people.csv', ['uid,stage', 'a1,member', 'a2,king'])
  const { code, out } = await runCarillon(env(), 'import', file, '--ref', 'autumn')
  expect(code).toBe(0)
  expect(out).toMatch(/^1 lines written, 1 rejected:\n {2}line 3, stage: .*\n$/)
  const { rejected, rejectedLines } = JSON.parse((await runCarillon(env(), '--json', 'import', file)).out)
  expect([rejected, rejectedLines]).toEqual([1, [{ line: 3, field: 'stage', reason: expect.any(String) }]])
  expect(await countPeople('a')).toBe(1)
})

it('carillon import explains what it needs if it cannot read the file', async () => {
  const nameless = await runCarillon(env(), 'import', write('people', ['uid', 'b1']))
  expect(nameless).toMatchObject({ code: 2, err: expect.stringContaining('--format') })
  const broken = await runCarillon(env(), 'import', write('broken.csv', ['name', 'b1']))
  expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('uid') })
  expect((await runCarillon(env(), 'import', join(folder, 'gone.csv'))).code).toBe(2)
})

it('a killed carillon import is continued by a worker: no one is imported twice or lost', async () => {
  const lines = Array.from(
    { length: 8_000 },
    (_, i) => `{"uid":"k${i}","chat":"Uk${i}","tags":["a:${i % 7}"]}`,
  )
  const cwd = resolve(import.meta.dirname, '../../..')
  const args = ['src/cli.ts', 'import', write('many.ndjson', lines)]
  // It reaches its last chunk, in which a subject is locked.
  await fresh.db.insertInto('subject').values({ uid: 'k7999' }).execute()
  const release = await holdTransaction(fresh.db, (trx) =>
    sql`select from subject where uid = 'k7999' for update`.execute(trx),
  )
  const child = spawn(process.execPath, args, { cwd, env: env(), stdio: 'ignore' })
  const over = once(child, 'exit')
  const state = () =>
    fresh.db.selectFrom('import').select(['state', 'processed']).orderBy('id', 'desc').executeTakeFirst()
  await eventually(async () => expect((await state())?.state).toBe('processing'))
  child.kill('SIGKILL')
  await over
  await release()
  expect((await state())?.state).toBe('processing')
  const log = pino({ level: 'silent' })
  const worker = pollLoop(importWrite({ db: fresh.db, log }), log)
  await eventually(async () => expect(await state()).toEqual({ state: 'completed', processed: 8_000 }), {
    limitMs: 30_000,
  })
  await worker.stop()
  expect(await countPeople('k')).toBe(8_000)
})
