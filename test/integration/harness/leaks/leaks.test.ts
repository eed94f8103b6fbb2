import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, inject, it } from 'vitest'
import { spawnProcess } from '../../../harness/spawn.ts'

const vitest = resolve('node_modules/.bin/vitest')

it('files that leave a faked clock, a changed environment or a server behind fail, though their tests pass', async () => {
  const file = join(inject('scratch'), 'leaks.json')
  const args = [vitest, 'run', '--config', join(import.meta.dirname, 'vitest.config.ts')]
  const run = await spawnProcess('leaks', args, { CARILLON_COUNTS: file })
  expect((await run.exited).code).toBe(1)
  const failures = ['clock', 'environment', 'server'].map((left) =>
    expect.stringContaining(`test/integration/harness/leaks/${left}.example.ts: `),
  )
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ passed: 3, skipped: 0, failures })
})
