import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const folder = join(root, 'test/histories/lives')

it('the lives that docs/architecture.md shows are those that the tests have compared', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const told = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const lives = [...page.matchAll(/```\n(\w+ begins\n[^`]*)```/g)].map(([, life]) => life!)
  expect(lives).toHaveLength(2)
  for (const life of lives) expect(told).toContain(life)
})
