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
  // failed: one test, one stray error, two groups
  expect(await countsOf('every-end')).toEqual({ code: 1, passed: 3, failed: 4, skipped: 3 })
})

it('counts a file that cannot be loaded as a failure', async () => {
  expect(await countsOf('no-import')).toEqual({ code: 1, passed: 0, failed: 1, skipped: 0 })
})
