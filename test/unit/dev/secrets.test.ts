import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { environmentOf } from '../../../dev/environment.ts'
import { loadSecrets } from '../../../dev/secrets.ts'
import { readSettings } from '../../../dev/settings.ts'
import { readConfig } from '../../../src/config.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('makes secrets once, and keeps them', () => {
  expect(loadSecrets(folder)).toEqual(loadSecrets(folder))
})

it('has two signing keys: one for every source, one for the registration desk alone', () => {
  const { variables } = environmentOf(readSettings({}), loadSecrets(folder))
  const { EVENT_SIGNING_KEYS, EVENT_SIGNING_SOURCES } = readConfig(variables)
  const [, second] = EVENT_SIGNING_KEYS.keys()
  expect(EVENT_SIGNING_KEYS.size).toBe(2)
  expect(EVENT_SIGNING_SOURCES).toEqual(new Map([[second, new Set(['registration-desk'])]]))
})

it('keeps a damaged file, and explains what to do', () => {
  const file = join(folder, 'secrets.json')
  writeFileSync(file, '{"secretsKey": "ha')
  expect(() => loadSecrets(folder)).toThrow(
    `${file} is damaged. Restore it from a backup, or delete ${folder} with all its data`,
  )
  expect(readFileSync(file, 'utf8')).toBe('{"secretsKey": "ha')
})

it('keeps what an older version made, and adds what it did not know', () => {
  const { signIn, ...older } = loadSecrets(folder)
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify(older))
  const secrets = loadSecrets(folder)
  expect(secrets).toMatchObject(older)
  expect(secrets.signIn.clientSecret).not.toBe(signIn.clientSecret)
  expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toEqual(secrets)
})
