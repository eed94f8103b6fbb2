import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../connect.ts'
import { keepDeliveries } from '../pattern/preserve-counts.ts'
import type { Purge } from '../retention/retention.ts'

/** Lock timeout of the drop: readers and writers of all months queue behind it; ms. */
const lockMs = 500
/** Statement timeout for deleting the smaller rows of a month's waves; ms. */
const statementMs = 600_000

/**
 * Deliveries, a month at a time: the partition is dropped whole, with its batches, calls and read marks, once its last
 * day is past retention and none of its waves is open. Waves keep their counters; `purged_at` marks their rows as
 * deleted.
 */
export const deliveryMonths: Purge = {
  async count(db, before) {
    return (await oldPartitions(db, before)).length
  },
  /** If a month cannot be dropped, its error is thrown after the later months have been tried. */
  async slice(db, before) {
    const faults: unknown[] = []
    for (const partition of await oldPartitions(db, before))
      try {
        return (await dropPartition(db, partition)) ? 1 : 0
      } catch (error) {
        faults.push(error)
      }
    if (faults.length > 0) throw faults[0]
    return 0
  },
}

type Partition = { name: string; from: string; to: string }

/** Oldest first. A partition's name is `delivery_YYYY_MM`, its bounds are the ids of that month (UTC). */
async function oldPartitions(db: Db, before: Date): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    with partition as (
      select child.relname as name, bounds[1]::uuid as "from", bounds[2]::uuid as "to",
        to_date(right(child.relname, 7), 'YYYY_MM') + interval '1 month' as ends
      from pg_inherits
        join pg_class as child on child.oid = inhrelid,
        regexp_match(pg_get_expr(child.relpartbound, child.oid), $$FROM [(]'(.+)'[)] TO [(]'(.+)'[)]$$) as bounds
      where inhparent = 'delivery'::regclass
    )
    select name, "from", "to" from partition
    where ends < ${before} and "from" < "to" and not exists (
      select from wave left join message on message.id = wave.message_id
      where wave.id >= "from" and wave.id < "to"
        and (wave.state in ('waiting', 'sending', 'paused') or message.closed_at is null and message.id is not null))
    order by name
  `.execute(db)
  return rows
}

/** Returns false if the table is too busy to be locked: a later round retries. */
async function dropPartition(db: Db, { name, from, to }: Partition): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql.raw(`set local statement_timeout = ${statementMs}`).execute(trx)
      await keepDeliveries(trx, { from, to })
      const ofMonth = sql`wave_id >= ${from}::uuid and wave_id < ${to}::uuid`
      for (const table of ['inbox_read', 'call', 'batch'])
        await sql`delete from ${sql.table(table)} where ${ofMonth}`.execute(trx)
      await sql`update wave set purged_at = clock_timestamp() where id >= ${from}::uuid and id < ${to}::uuid`.execute(
        trx,
      )
      await sql.raw(`set local lock_timeout = ${lockMs}`).execute(trx)
      await sql`select drop_delivery_partition(to_date(right(${name}, 7), 'YYYY_MM'))`.execute(trx)
    })
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false
    throw error
  }
}

/** SQLSTATE of a lock_timeout. */
const lockNotAvailable = '55P03'
