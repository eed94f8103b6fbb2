import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

// The Temporal stores of installations hold runs of these histories: a new history is added, and none is changed. From
// version 1.0.0 on the same holds for migrations. `UPDATE=1` adds the files that are new, and leaves the lines of the others.

const root = resolve(import.meta.dirname, '../../..')
const list = join(import.meta.dirname, 'landed.sha256')
const kept = 'test/histories/recorded'

const sumOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')
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
const present = readdirSync(join(root, kept)).map((file) => `${kept}/${file}`)

it('recorded histories that have landed are as they were', () => {
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
