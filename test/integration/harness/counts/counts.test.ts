import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, inject, it } from 'vitest'
import { spawnProcess } from '../../../harness/spawn.ts'

const vitest = resolve('node_modules/.bin/vitest')

async function countsOf(...filters: string[]) {
  const file = join(inject('scratch'), `counts-${filters.join('-')}.json`)
  const config = join(import.meta.dirname, 'vitest.config.ts')
  const args = [vitest, 'run', '--config', config, ...filters]
  const run = await spawnProcess('counts', args, { CARILLON_COUNTS: file })
  const { code } = await run.exited
  return { code, ...JSON.parse(readFileSync(file, 'utf8')) }
}

it('counts errors outside of tests as failures', async () => {
  const file = 'test/integration/harness/counts/every-end.example.ts'
  expect(await countsOf('every-end')).toEqual({
    code: 1,
    passed: 3,
    skipped: 3,
    failures: [
      'no file: stray',
      `${file} > fails: expected 1 to be 2 // Object.is equality`,
      `${file} > a group that fails in beforeAll: no beginning`,
      `${file} > a group that cannot end: no end`,
    ],
  })
})

it('counts a file that cannot be loaded as a failure', async () => {
  const file = 'test/integration/harness/counts/no-import.example.ts'
  expect(await countsOf('no-import')).toEqual({
    code: 1,
    passed: 0,
    skipped: 0,
    failures: [expect.stringContaining(`${file}: `)],
  })
})
