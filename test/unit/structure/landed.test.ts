import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

// Installations have run these migrations, and their Temporal stores hold runs of these histories: a new migration or
// history is added, and none is changed. `UPDATE=1` adds the files that are new, and leaves the lines of the others.

const root = resolve(import.meta.dirname, '../../..')
const list = join(import.meta.dirname, 'landed.sha256')
const kept = ['src/db/migrations', 'test/histories/recorded', 'test/integration/db/filled-0001.json']

const sumOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')
const filesIn = (place: string) =>
  place.endsWith('.json')
    ? [place]
    : readdirSync(join(root, place), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))

/** The files that have landed with the digest that each had, in the form of `sha256sum`. */
const landed = new Map(
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [sum, file] = line.split('  ')
      return [file!, sum!] as const
    }),
)
const present = kept.flatMap(filesIn)

it('migrations and recorded histories that have landed are as they were', () => {
  const gone = [...landed.keys()].filter((file) => !present.includes(file))
  const changed = present.filter((file) => landed.has(file) && landed.get(file) !== sumOf(file))
  expect({ gone, changed }).toEqual({ gone: [], changed: [] })
})

it('those that are new are in the list, from their first day', () => {
  const added = present.filter((file) => !landed.has(file))
  if (process.env.UPDATE && added.length > 0) {
    const all = [...landed, ...added.map((file) => [file, sumOf(file)] as const)]
    const sorted = all.sort(([one], [other]) => (one < other ? -1 : 1))
    writeFileSync(list, sorted.map(([file, sum]) => `${sum}  ${file}\n`).join(''))
    return
  }
  expect(added, 'run UPDATE=1 vitest run test/unit/structure/landed.test.ts').toEqual([])
})

it('each migration is one that installations run', () => {
  const run = readFileSync(join(root, 'src/db/migrate.ts'), 'utf8')
  const files = readdirSync(join(root, 'src/db/migrations')).filter((file) => /^\d{4}_\w+\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter((file) => !run.includes(`  '${basename(file, '.ts')}': `))).toEqual([])
})
