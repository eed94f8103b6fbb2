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

/**
 * Records consents that another system knows of. One that was withdrawn here stays withdrawn: an old file must not
 * bring it back. One in force is replaced only by another version.
 */
export async function addConsents(
  trx: Trx,
  consents: { subjectId: string; scope: string; version: string; source: string }[],
): Promise<void> {
  await sql`
    with granted as (
      insert into consent (subject_id, scope, version, source)
      select "subjectId", scope, version, source
      from jsonb_to_recordset(${JSON.stringify(consents)})
        as given ("subjectId" uuid, scope text, version text, source text)
      on conflict (subject_id, scope) do update
      set version = excluded.version, source = excluded.source, granted_at = now()
      where consent.withdrawn_at is null and consent.version <> excluded.version
      returning subject_id, scope, version, source
    )
    insert into consent_history (subject_id, scope, version, source, what)
    select subject_id, scope, version, source, 'granted' from granted
  `.execute(trx)
}
