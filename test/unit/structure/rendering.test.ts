import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../../src')

/** What reads or renders Liquid, and what does so within: none of it may run where something else waits for it. */
const renders = [
  /domain\/content\/(liquid|liquid-\w+|render|template-check)\.ts'/,
  /\/liquid-faults\.ts'|\/text-issues\.ts'/,
  /\{[^}]*\b(advance|undeliverableAt|simulate|walk)\b[^}]*\} from '[./]*domain\/scenario\/(advance|walk|simulate)\.ts'/,
  /from '(liquidjs|markdown-it)'/,
]
const mayRender =
  /^(domain|services\/rendering)\/|^services\/(patterns\/text-issues|scenarios\/liquid-faults)\.ts$/

it('only the tasks of src/services/rendering read and render what users write', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const values = files.flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/^import [^;]*?from '[^']+'/gm)].map(([line]) => ({
      file,
      line: line.replaceAll(/\s+/g, ' ').replaceAll(/\btype \w+( as \w+)?,?/g, ''),
    })),
  )
  const lines = values
    .filter(({ line }) => !/^import (type\b|\{ *\})/.test(line))
    .filter(({ line }) => renders.some((one) => one.test(line)))
  expect(lines.filter(({ file }) => mayRender.test(file)).length).toBeGreaterThan(8)
  expect(lines.filter(({ file }) => !mayRender.test(file))).toEqual([])
})
