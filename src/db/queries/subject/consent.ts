import { type RawBuilder, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { isUniqueViolation } from '../../unique-violation.ts'
import { keepReleased } from './former-address.ts'

/**
 * Binds one address per person and channel, and returns how many were not bound before; a new address is not blocked.
 * `hash` tells whether it is suppressed; that of an address which is replaced stays. An address that is bound to
 * another subject fails as a unique violation (`isBoundElsewhere`).
 */
export async function setAddresses(
  db: Db | Trx,
  addresses: { subjectId: string; channel: Channel; address: string; hash: Buffer | null }[],
): Promise<number> {
  const rows = addresses.map(({ hash, ...rest }) => ({ ...rest, hash: hash?.toString('hex') ?? null }))
  const { rows: counted } = await sql<{ bound: number }>`
    with bound as (
      insert into address (subject_id, channel, address, hash)
      select "subjectId", channel, address, decode(hash, 'hex')
      from jsonb_to_recordset(${JSON.stringify(rows)})
        as input ("subjectId" uuid, channel text, address text, hash text)
      on conflict (subject_id, channel) do update
      set address = excluded.address, hash = excluded.hash, blocked_at = null, bound_at = now()
      where address.address <> excluded.address
      returning subject_id, channel, old.address, old.hash
    ),
    released as (select * from bound where address is not null),${keepReleased}
    select count(*)::int as bound from bound
  `.execute(db)
  return counted[0]!.bound
}

/** Whether binding failed because another subject has the address, in this or another spelling. */
export function isBoundElsewhere(error: unknown): boolean {
  return isUniqueViolation(error, 'address_channel_address_key') || isUniqueViolation(error, 'address_email')
}

/** A consent that a person granted. `scope`: to what; `source`: where. */
type ConsentGrant = { subjectId: string; scope: string; version: string; source: string }

/** Grants consents, including withdrawn ones; adds each change to the history. Returns the number of changes. */
export function setConsents(db: Db | Trx, consents: ConsentGrant[]): Promise<number> {
  return grant(
    db,
    consents,
    sql`consent.withdrawn_at is not null
        or (consent.version, consent.source) <> (excluded.version, excluded.source)`,
  )
}

/**
 * Records consents known to another system. A consent that was withdrawn here stays withdrawn: an old file must not
 * restore it. An active one is replaced only by another version.
 */
export function addConsents(trx: Trx, consents: ConsentGrant[]): Promise<number> {
  return grant(trx, consents, sql`consent.withdrawn_at is null and consent.version <> excluded.version`)
}

/** `replaces`: whether the given consent replaces the existing one. */
async function grant(db: Db | Trx, consents: ConsentGrant[], replaces: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    with granted as (
      insert into consent (subject_id, scope, version, source)
      select "subjectId", scope, version, source
      from jsonb_to_recordset(${JSON.stringify(consents)})
        as input ("subjectId" uuid, scope text, version text, source text)
      on conflict (subject_id, scope) do update
      set version = excluded.version, source = excluded.source, granted_at = now(), withdrawn_at = null
      where ${replaces}
      returning subject_id, scope, version, source
    )
    insert into consent_history (subject_id, scope, version, source, what)
    select subject_id, scope, version, source, 'granted' from granted
  `.execute(db)
  return Number(numAffectedRows)
}

/** Withdraws an active consent, and adds that to the history. Returns whether there was one. */
export async function withdrawConsent(db: Db | Trx, subjectId: string, scope: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with withdrawn as (
      update consent set withdrawn_at = now()
      where subject_id = ${subjectId} and scope = ${scope} and withdrawn_at is null
      returning subject_id, scope, version, source
    )
    insert into consent_history (subject_id, scope, version, source, what)
    select subject_id, scope, version, source, 'withdrawn' from withdrawn
  `.execute(db)
  return numAffectedRows === 1n
}

/** Sets people's choices for a category on a channel, and when they changed. */
export async function setPreferences(
  db: Db | Trx,
  preferences: { subjectId: string; categoryId: string; channel: Channel; enabled: boolean }[],
): Promise<void> {
  await sql`
    insert into preference (subject_id, category_id, channel, enabled)
    select "subjectId", "categoryId", channel, enabled
    from jsonb_to_recordset(${JSON.stringify(preferences)})
      as input ("subjectId" uuid, "categoryId" text, channel text, enabled boolean)
    on conflict (subject_id, category_id, channel) do update
      set enabled = excluded.enabled, changed_at = clock_timestamp()
      where preference.enabled <> excluded.enabled
  `.execute(db)
}

/** Unsubscribes people from a topic, on all channels. */
export async function unsubscribeTopic(db: Db | Trx, topicId: string, subjectIds: string[]): Promise<void> {
  await sql`
    insert into topic_unsubscribe (topic_id, subject_id)
    select ${topicId}, subject_id from unnest(${subjectIds}::uuid[]) as subject_id
    on conflict do nothing
  `.execute(db)
}
