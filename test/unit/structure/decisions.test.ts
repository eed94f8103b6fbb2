import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** The modules that put in force or send what an approver decided, and those that may call them. */
const decide =
  /from '[^']*\/(messages\/approve|templates\/decide|events\/decide-binding|scenarios\/decide)\.ts'/
const callers = ['api/operations/', 'services/approvals/']
/** What takes the automatic check of a message along, which no person makes. */
const automatic = /import \{ checkAutomatically \} from/

it('a decision comes over the API or from the pages: no command and no background task makes one', () => {
  const others = files
    .filter((file) => !callers.some((folder) => file.startsWith(folder)))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .filter((line) => decide.test(line) && !automatic.test(line))
        .map((line) => `${file}: ${line}`),
    )
  expect(others).toEqual([])
})
