import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { version } from '../../../src/version.ts'

const root = resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
/** The version of the first heading of a page of changes. */
const newest = (page: string) => /^## (\d+\.\d+\.\d+)/m.exec(read(page))?.[1]

it('one version: of the package, its lock file and the newest changes', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.version, lock.packages[''].version, newest('CHANGELOG.md')]).toEqual([
    version,
    version,
    version,
  ])
})

it('the client library has its own: of its package, the lock file, its newest changes and its page', () => {
  const { version: own } = JSON.parse(read('client/package.json'))
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.packages.client.version, newest('client/CHANGELOG.md')]).toEqual([own, own])
  expect(read('client/README.md')).toContain(`carillon-client-${own}.tgz`)
})
