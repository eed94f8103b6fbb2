import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'

/** Which of these uids exist, each once, and how many of them have no acquisition yet. */
export async function findSubjects(db: Db, uids: string[]): Promise<{ uids: string[]; newcomers: number }> {
  const { rows } = await sql<{ uids: string[]; newcomers: number }>`
    select coalesce(array_agg(uid), '{}') as uids,
      (count(*) filter (where acquisition_source is null))::integer as newcomers
    from subject where uid = any(${uids}::text[])
  `.execute(db)
  return rows[0]!
}

/** Sets the acquisition of subjects that have none; locks them in order, so that two events do not deadlock. */
export async function setAcquisition(trx: Trx, uids: string[], source: string): Promise<void> {
  await sql`
    update subject set acquisition_source = ${source}, updated_at = clock_timestamp()
    where acquisition_source is null and id in (
      select id from subject where uid = any(${uids}::text[]) and acquisition_source is null
      order by id for no key update)
  `.execute(trx)
}
