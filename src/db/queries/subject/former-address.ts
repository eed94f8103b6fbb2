import { type RawBuilder, sql } from 'kysely'
import { channels } from '../../../contract/enums.ts'
import type { Trx } from '../../connect.ts'

/**
 * Addresses that people had. The clear text goes when one is unbound or replaced; its hash stays with the person, so
 * that their erasure finds what was written there while nobody was bound to it.
 */

/**
 * Keeps the addresses that a statement has released, the rows of its `with` clause `released`: `subject_id`, `channel`, and
 * `address` and `hash` as they were. What strangers wrote there while the key of the hashes was not available gets them now.
 */
export const keepReleased: RawBuilder<unknown> = sql`
    kept as (
      insert into former_address (subject_id, channel, hash)
      select subject_id, channel, hash from released where hash is not null
      on conflict do nothing
    ),
    marked_events as (
      update webhook_event as event set address_hash = released.hash from released
      where event.address = released.address and event.subject_id is null and event.address_hash is null
        and (event.channel = released.channel or (event.channel = 'avatar' and released.channel = 'chat'))
    ),
    marked_handoffs as (
      update handoff set channel_user_hash = released.hash from released
      where released.channel = 'chat' and handoff.channel_user = released.address and handoff.subject_id is null
        and handoff.channel_user_hash is null
    )`

/**
 * Whether a stranger's row (`hash`, `address`) is at an address that the person had and nobody has now: who has it now
 * has what was written there.
 */
export function isAtFormer(
  subjectId: string,
  { hash, address }: { hash: RawBuilder<unknown>; address: RawBuilder<unknown> },
): RawBuilder<boolean> {
  return sql<boolean>`${hash} = any(array(select hash from former_address where subject_id = ${subjectId}))
      and not exists (
        select from address as bound where bound.channel in (${sql.join(channels.map((channel) => sql.lit(channel)))}) and bound.address = ${address})`
}

const ofEvent = { hash: sql.ref('webhook_event.address_hash'), address: sql.ref('webhook_event.address') }

/**
 * Deletes what strangers wrote at addresses that a person had; `lock` only locks it, for an erasure: to apply an event
 * locks it before the people that it concerns.
 */
export async function eraseAtFormer(trx: Trx, subjectId: string, lock?: 'lock'): Promise<void> {
  const these = sql`webhook_event where subject_id is null and ${isAtFormer(subjectId, ofEvent)}`
  await (lock ? sql`select from ${these} order by id for update` : sql`delete from ${these}`).execute(trx)
}
