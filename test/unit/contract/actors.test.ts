import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { actorKinds } from '../../../src/contract/common.ts'
import { auditedKinds } from '../../../src/contract/enums.ts'

const root = resolve(import.meta.dirname, '../../..')
const page = readFileSync(resolve(root, 'docs/api/audit.md'), 'utf8')
const source = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !/db\/migrations|contract\/actors/.test(file))
  .map((file) => readFileSync(resolve(root, file), 'utf8'))
  .join('\n')

it('the page lists every actor', () => {
  for (const [id, what] of Object.entries(actorKinds)) expect(page).toContain(`| \`${id}\` | ${what} |`)
})

it('an actor that the code writes is on the list', () => {
  const ids = [
    ...source.matchAll(/'((?:system|operator):[a-z]+)'/g),
    ...source.matchAll(/[aA]ctor\w*\([^)]*\): string \{\n {2}return [^\n]*?`([a-z]+:)\$\{/g),
  ].map(([, id]) => id!)
  const kinds = Object.keys(actorKinds)
  expect(new Set(ids).size).toBeGreaterThan(8)
  expect(ids.filter((id) => !kinds.some((one) => one === id || one.startsWith(id)))).toEqual([])
})

it('a kind of object is one that the code audits', () => {
  for (const kind of auditedKinds) expect(source).toContain(`objectKind: '${kind}'`)
})
