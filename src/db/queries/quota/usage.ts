import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/lib/month.ts'
import type { Db } from '../../connect.ts'
import { poolScope } from './reservation.ts'

/** The highest use of an account of one kind: pushes reserved and committed, as a part of the limit. */
export type HighestUse = { channel: Channel; scope: 'unit' | 'pool'; ratio: number }

/**
 * The accounts of a month that are used most, by channel: the highest of all units, and the pool's. A limit of 0 counts
 * as 1, so that use without a limit stands out, and no use is 0.
 */
export async function readHighestUse(db: Db, month: Month): Promise<HighestUse[]> {
  const { rows } = await sql<HighestUse>`
    select channel, case scope when ${poolScope} then 'pool' else 'unit' end as scope,
      max((reserved + committed)::float8 / greatest(monthly_limit, 1)) as ratio
    from quota_ledger where month = ${month}
    group by 1, 2
  `.execute(db)
  return rows
}
