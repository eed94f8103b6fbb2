import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { claims, noClaims } from '../../fixtures/claims.ts'
import { rowsReadBy, watchedDatabase } from '../../fixtures/query-plans.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
const watched = forFile(() => watchedDatabase(database.url))
const waiting = 10_000

it.each(Object.entries(claims))(
  'what is next is found without reading the others: %s',
  async (_, { plant, claim, statistics, takes = 1 }) => {
    await plant(database.db, waiting)
    if (statistics) await sql`analyze ${sql.table(statistics)}`.execute(database.db)
    watched.asked.length = 0
    await claim(watched.db)
    const statements = watched.asked.filter((statement) => !/^(begin|commit|rollback)/.test(statement.sql))
    expect(statements.length).toBeGreaterThan(0)
    let rows = 0
    for (const statement of statements)
      for (const read of Object.values(await rowsReadBy(database.url, statement))) rows += read
    expect(rows).toBeLessThan(20 + 10 * takes)
  },
)

it('every background task and every query that skips what others have locked is among them', () => {
  const queries = join(import.meta.dirname, '../../../src/db/queries')
  const skipping = globSync('**/*.ts', { cwd: queries }).filter((file) =>
    readFileSync(join(queries, file), 'utf8').includes('skip locked'),
  )
  const claimList = Object.values(claims)
  const files = new Set([...claimList.map(({ file }) => file), ...Object.keys(noClaims.files)])
  const tasks = new Set([...claimList.flatMap(({ task = [] }) => task), ...Object.keys(noClaims.tasks)])
  const source = readFileSync(join(queries, '../../background/tasks.ts'), 'utf8')
  const names = [...source.matchAll(/name: '([\w-]+)'/g)].map(([, name]) => name!)
  expect(skipping.filter((file) => !files.has(file))).toEqual([])
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !tasks.has(name))).toEqual([])
})
