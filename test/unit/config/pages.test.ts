import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { envExample, settingsPage } from '../../../dev/settings-pages.ts'
import type { ProcessName } from '../../../src/config/setting.ts'
import { settings, variables } from '../../../src/config/settings.ts'
import { readConfig } from '../../../src/config.ts'

const root = resolve(import.meta.dirname, '../../..')
const names = Object.keys(settings)

describe('the descriptions of the settings', () => {
  it('are the page of settings', async () => {
    await expect(settingsPage()).toMatchFileSnapshot(join(root, 'docs/settings.md'))
  })

  it('are .env.example', async () => {
    await expect(envExample()).toMatchFileSnapshot(join(root, '.env.example'))
  })

  it('have a row in the page and a line in the example for each setting, and for nothing else', () => {
    const rows = [...settingsPage().matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => name)
    const lines = [...envExample().matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name]) => name)
    expect(rows.toSorted()).toEqual(names.toSorted())
    expect(lines.toSorted()).toEqual(names.toSorted())
  })

  it('set nothing in the example', () => {
    expect(
      envExample()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#')),
    ).toEqual([])
  })

  it('show defaults and examples that are right, and none of a secret but the address of the database', () => {
    const examples = Object.entries(settings).flatMap(([name, { default: usual, example, secret }]) =>
      usual || example ? [{ name, text: usual || example, secret }] : [],
    )
    const values = Object.fromEntries(examples.map(({ name, text }) => [name, text]))
    const needed = { OIDC_CLIENT_ID: 'carillon', OIDC_CLIENT_SECRET: 'hT5vTz0PqzqYp8wR' }
    expect(() => readConfig({ ...values, ...needed, NODE_ENV: 'production' })).not.toThrow()
    expect(examples.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(['DATABASE_URL'])
  })

  it('need only settings that there are', () => {
    const needed = Object.values(settings).flatMap(({ neededWith }) => neededWith ?? [])
    expect(needed.filter((name) => !(name in settings))).toEqual([])
  })

  it.each(
    Object.entries(settings).filter(([, { secret, kind }]) => secret && !/PEM|keys of 32/.test(kind.takes)),
  )('judge the secret %s in production', (_name, { production }) => {
    expect(production).toBeDefined()
  })

  it('name the processes whose files read a setting', () => {
    const readers = { api: reachedFrom('server'), worker: reachedFrom('worker'), cli: reachedFrom('cli') }
    for (const [name, { readBy }] of Object.entries(settings)) {
      if (name === 'NODE_ENV') continue // readConfig reads it in every process
      // What deletes rows reads all of them at once.
      const read = name.startsWith('RETENTION_') ? `${name}|RETENTION_\\$` : name
      const processes = (Object.keys(readers) as ProcessName[]).filter((process) =>
        new RegExp(`\\b(?:${read})`).test(readers[process]),
      )
      expect(processes, name).toEqual(readBy)
    }
  })

  it('take each variable for one setting only', () => {
    expect(new Set(variables).size).toBe(variables.length)
  })
})

/** The code that a process loads, without types, comments, the configuration itself, and the contract, which reads no setting. */
function reachedFrom(entry: string): string {
  const src = join(root, 'src')
  const reached = new Map<string, string>()
  const follow = (path: string) => {
    if (reached.has(path) || /^(config(\/|\.)|contract\/)/.test(relative(src, path))) return
    const code = readFileSync(path, 'utf8').replace(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    reached.set(path, code)
    for (const [, specifier] of code.matchAll(/^(?:import|export) (?!type )[^'";]*?from '(\.[^']+)'/gm))
      follow(resolve(dirname(path), specifier!))
  }
  follow(join(src, `${entry}.ts`))
  return [...reached.values()].join('\n')
}
