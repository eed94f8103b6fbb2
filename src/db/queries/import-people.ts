import { sql } from 'kysely'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Trx } from '../connect.ts'

export type ClaimedAddress = { uid: string; channel: Channel; address: string }

/** Those of these addresses that belong to somebody with another uid. */
export async function takenAddresses(trx: Trx, claimed: ClaimedAddress[]): Promise<ClaimedAddress[]> {
  const { rows } = await sql<ClaimedAddress>`
    select given.uid, given.channel, given.address
    from jsonb_to_recordset(${JSON.stringify(claimed)}) as given (uid text, channel text, address text)
    join address using (channel, address)
    join subject on subject.id = address.subject_id
    where subject.uid <> given.uid
  `.execute(trx)
  return rows
}
