import { beforeAll, expect, it } from 'vitest'
import { runCarillon } from '../../fixtures/carillon.ts'
import { registerProducer } from '../../fixtures/lookup-endpoint.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
beforeAll(async () => {
  for (const [origin, key_id] of [
    ['https://first.example.edu', null],
    ['https://here.example.edu', 'here'],
    ['https://gone.example.edu', 'gone'],
  ] as const)
    await registerProducer(database.db, origin, { key_id })
})

const secret = 'x'.repeat(40)
const warned = async (env: Record<string, string>) =>
  (await runCarillon({ DATABASE_URL: database.url, ...env }, 'doctor')).err
    .split('\n')
    .filter((line) => line.includes('Lookup endpoints'))

it('doctor warns of endpoints whose signing key is gone', async () => {
  expect(await warned({ EVENT_SIGNING_KEYS: `here:${secret}` })).toEqual([
    expect.stringMatching(/not called: https:\/\/gone\.example\.edu \(gone\)\. Add the key/),
  ])
  expect(await warned({ EVENT_SIGNING_KEYS: `here:${secret},gone:${secret.replace('x', 'y')}` })).toEqual([])
})

it('doctor does not warn where the command line has no keys by which to tell', async () => {
  expect(await warned({})).toEqual([])
})
