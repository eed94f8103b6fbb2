import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { storedBytes } from '../../../src/domain/lib/json-values.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

/** Numbers that Postgres writes as JSON does, and texts that it can store. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, '', '導覽', 'a "b" \\ \n', 'a: b, c'),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z中]{1,5}$/), tie('value'), { maxKeys: 4 }),
  ),
})).value

it('a value has as many bytes as Postgres stores, so that a simulation refuses what a run refuses', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      const { rows } = await sql<{ bytes: number }>`
        select octet_length(${JSON.stringify(one)}::jsonb::text) as bytes`.execute(database.db)
      expect(storedBytes(one)).toBe(rows[0]!.bytes)
    }),
    { numRuns: 300 },
  )
})
