import { sql } from 'kysely'
import { rowsOf } from '../retention/retention.ts'

/** What was written, submitted or not, and nobody has touched since. */
export const untouchedCompositions = rowsOf('composition', (before) => sql<boolean>`updated_at < ${before}`)
