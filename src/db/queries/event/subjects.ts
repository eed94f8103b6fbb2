import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'

/** Sets the acquisition of subjects that have none; locks them in order, so that two events do not deadlock. */
export async function setAcquisition(trx: Trx, uids: string[], source: string): Promise<void> {
  await sql`
    update subject set acquisition_source = ${source}, updated_at = clock_timestamp()
    where acquisition_source is null and id in (
      select id from subject where uid = any(${uids}::text[]) and acquisition_source is null
      order by id for no key update)
  `.execute(trx)
}
