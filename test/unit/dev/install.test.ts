import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { areClientTypesOutdated, isClientPackageOutdated, reasonToInstall } from '../../../dev/install.mjs'

type Packages = Record<string, { version?: string; integrity?: string; optional?: boolean; link?: boolean }>

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'install-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function wanted(packages: Packages): void {
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
}

function installed(packages: Packages): void {
  mkdirSync(join(root, 'node_modules'))
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
}

describe('packages are installed', () => {
  it('when there are none, or an install was interrupted', () => {
    wanted({})
    mkdirSync(join(root, 'node_modules'))
    expect(reasonToInstall(root)).toMatch('not installed')
  })

  it('when the lock file requires one that is missing', () => {
    wanted({ 'node_modules/pg': { version: '8.0.0' } })
    installed({})
    expect(reasonToInstall(root)).toMatch('another version of pg')
  })

  it('when the lock file requires another version or another content', () => {
    wanted({ 'node_modules/pg': { version: '8.0.0', integrity: 'a' } })
    installed({ 'node_modules/pg': { version: '8.0.0', integrity: 'b' } })
    expect(reasonToInstall(root)).toMatch('another version of pg')
  })
})

describe('packages are left alone', () => {
  it('when they are those of the lock file', () => {
    const packages = { '': {}, client: {}, 'node_modules/pg': { version: '8.0.0', integrity: 'a' } }
    wanted(packages)
    installed(packages)
    expect(reasonToInstall(root)).toBeNull()
  })

  it('when only those for other systems are missing', () => {
    wanted({ 'node_modules/made-for-windows': { version: '1.0.0', optional: true } })
    installed({})
    expect(reasonToInstall(root)).toBeNull()
  })

  it('when a package of this repository is linked', () => {
    wanted({ 'node_modules/@carillon/client': { link: true } })
    installed({})
    expect(reasonToInstall(root)).toBeNull()
  })
})

/** Writes a file that was changed so many seconds after 1970. */
function changed(path: string, seconds: number, text = ''): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
  utimesSync(join(root, path), seconds, seconds)
}

describe('the types of the client library are generated', () => {
  beforeEach(() => {
    changed('client/types-of-contract.ts', 1)
    changed('client/type-of.ts', 1)
    changed('src/contract/messages/create.ts', 1)
  })

  it('where there are none', () => {
    expect(areClientTypesOutdated(root)).toBe(true)
  })

  it('unless they are newer than the whole contract', () => {
    changed('client/src/types.ts', Date.now() / 1000 + 60)
    expect(areClientTypesOutdated(root)).toBe(false)
    changed('src/contract/messages/create.ts', Date.now() / 1000 + 120)
    expect(areClientTypesOutdated(root)).toBe(true)
  })
})

it('the client library is packed where there is none of its version, or a newer file', () => {
  changed('client/package.json', 1, '{"version": "1.0.0"}')
  changed('client/README.md', 1)
  changed('client/src/index.ts', 1)
  expect(isClientPackageOutdated(root)).toBe(true)
  changed('dist/client/carillon-client-1.0.0.tgz.sha256', 2)
  expect(isClientPackageOutdated(root)).toBe(false)
  changed('client/src/index.ts', 3)
  expect(isClientPackageOutdated(root)).toBe(true)
  changed('dist/client/carillon-client-1.0.0.tgz.sha256', 4)
  changed('client/package.json', 1, '{"version": "1.0.1"}')
  expect(isClientPackageOutdated(root)).toBe(true)
})
