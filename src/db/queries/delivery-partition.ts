import { sql } from 'kysely'
import type { Db, Trx } from '../connect.ts'
import { firstIdOf } from '../first-id.ts'

/**
 * `delivery` is partitioned by month, by the time inside the wave's id (UUIDv7), so that old months can be
 * detached whole. Half of every page stays free: a row is written once more, with its outcome, and then needs
 * no new entry in any index.
 */
const fillfactor = 50

/**
 * Makes the partition of a wave's deliveries where it is missing. Readers and writers go on meanwhile; of two
 * makers the second waits for the first one's transaction, so call it in a short one: where the wave is made.
 * (They meet at the table's own lock, which attaching takes anyway: after an advisory lock the second one would
 * still look into its old cache of the catalogue and not see what the first has made.)
 */
export async function ensureDeliveryPartition(db: Db | Trx, waveId: string): Promise<void> {
  const { name, from, to } = partitionOf(waveId)
  const { rows } = await sql<{ missing: boolean }>`select to_regclass(${name}) is null as missing`.execute(db)
  if (!rows[0]!.missing) return
  await sql
    .raw(`do $$ begin
      lock table only delivery in share update exclusive mode;
      if to_regclass('${name}') is null then
        create table ${name} (like delivery including all) with (fillfactor = ${fillfactor});
        alter table delivery attach partition ${name} for values from ('${from}') to ('${to}');
      end if;
    end $$`)
    .execute(db)
}

/** Name and bounds (from inclusive, to exclusive) of the month in which a UUIDv7 was made, in UTC. */
export function partitionOf(waveId: string): { name: string; from: string; to: string } {
  const made = new Date(Number.parseInt(waveId.replaceAll('-', '').slice(0, 12), 16))
  const [year, month] = [made.getUTCFullYear(), made.getUTCMonth()]
  const name = `delivery_${year}_${String(month + 1).padStart(2, '0')}`
  return { name, from: firstIdOf(Date.UTC(year, month)), to: firstIdOf(Date.UTC(year, month + 1)) }
}
