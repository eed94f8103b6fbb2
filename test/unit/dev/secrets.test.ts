import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadSecrets } from '../../../dev/secrets.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('makes secrets once, and keeps them', () => {
  expect(loadSecrets(folder)).toEqual(loadSecrets(folder))
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
