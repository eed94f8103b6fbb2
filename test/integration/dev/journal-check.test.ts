import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { runScript } from '../../fixtures/carillon.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const fresh = forFile(freshDatabase)

const check = (dir: string) => runScript('dev/journal-check/main.ts', { DATABASE_URL: fresh.url }, dir)

it('the check of journals names calls without a row, and no address', async () => {
  const dir = mkdtempSync(join(inject('scratch'), 'journal-'))
  expect(await check(dir)).toMatchObject({ code: 2, err: expect.stringContaining('No journal.jsonl') })

  writeFileSync(join(dir, 'journal.jsonl'), '')
  expect(await check(dir)).toMatchObject({ code: 0, out: expect.stringMatching(/^ok +chat-sent-once /) })

  const entry = { seq: 1, status: 200, to: ['U1'], retryKey: '00000000-0000-4000-8000-000000000000' }
  writeFileSync(join(dir, 'journal.jsonl'), `${JSON.stringify(entry)}\n{"cut`)
  const { code, out } = await check(dir)
  expect(code).toBe(1)
  expect(out).toMatch(/VIOLATED {2}chat-sent-once .*\n +journal 1: no call has its retry key/)
  expect(out).not.toContain('U1')
})
