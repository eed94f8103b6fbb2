import { sql } from 'kysely'
import { rowsOf } from '../retention/retention.ts'

/** What was written and never submitted, and nobody has touched since. */
export const untouchedCompositions = rowsOf('composition', (before) => sql<boolean>`updated_at < ${before}`)
