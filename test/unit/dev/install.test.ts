import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reasonToInstall } from '../../../dev/install.mjs'

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
