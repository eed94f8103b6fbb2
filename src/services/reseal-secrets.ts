import type { Db } from '../db/connect.ts'
import { insertAudit } from '../db/queries/audit/audit.ts'
import {
  listSealedCallbacks,
  lockSealedCallback,
  type SealedCallback,
  storeSealedCallback,
} from '../db/queries/callback/sealed-secret.ts'
import {
  listSealedEventKeys,
  lockSealedEventKey,
  type SealedEventKey,
  storeSealedEventKey,
} from '../db/queries/event/signing-key.ts'
import { findHashKey, replaceHashKey } from '../db/queries/subject/suppression.ts'
import { hashKeyContext } from './address-hash.ts'
import { secretContext } from './callbacks/secret.ts'
import { eventKeyContext } from './events/issued-secret.ts'
import type { SecretBox } from './secret-box.ts'

/**
 * The secrets of an installation by how they are sealed: with SECRETS_KEY (`current`), with an accepted key or without an
 * id (`earlier`), or with a key that is not set (`unreadable`: the ids of their callbacks and signing keys, or `address hash
 * key`).
 */
type Sealed = { current: number; earlier: number; unreadable: string[] }

/** How the secrets are sealed now. Changes nothing. */
export async function countSealed(db: Db, secrets: SecretBox): Promise<Sealed> {
  const totals = newCount()
  for (const callback of await listSealedCallbacks(db)) sealAgain(secrets, callback, totals)
  for (const key of await listSealedEventKeys(db)) sealKeyAgain(secrets, key, totals)
  const { key, sealed } = await findHashKey(db)
  if (sealed) sealOne(secrets, { sealed: key, context: hashKeyContext, of: hashKeyContext }, totals)
  return totals
}

/**
 * Seals everything again with the current key, each row in its own transaction; safe to repeat, and while Carillon runs.
 * Returns how the secrets were sealed before: `earlier` is what it has changed, and `unreadable` stays as it is.
 */
export async function resealAll(db: Db, secrets: SecretBox, actor: string): Promise<Sealed> {
  const totals = newCount()
  for (const { id } of await listSealedCallbacks(db))
    await db.transaction().execute(async (trx) => {
      const callback = await lockSealedCallback(trx, id)
      if (callback) await storeSealedCallback(trx, sealAgain(secrets, callback, totals))
    })
  for (const { id } of await listSealedEventKeys(db))
    await db.transaction().execute(async (trx) => {
      const key = await lockSealedEventKey(trx, id)
      if (key) await storeSealedEventKey(trx, sealKeyAgain(secrets, key, totals))
    })
  const { key, sealed } = await findHashKey(db)
  if (sealed) {
    const one = { sealed: key, context: hashKeyContext, of: hashKeyContext }
    await replaceHashKey(db, { before: key, after: sealOne(secrets, one, totals) })
  }
  const { unreadable, ...counts } = totals
  const details = { ...counts, unreadable: unreadable.length }
  await insertAudit(db, {
    unitId: null,
    actor,
    action: 'reseal',
    objectKind: 'secrets',
    objectId: 'all',
    details,
  })
  return totals
}

/** A callback's secrets, sealed with the current key; an unreadable one as it is. */
function sealAgain(secrets: SecretBox, callback: SealedCallback, totals: Sealed): SealedCallback {
  const { id, unitId, secret, oldSecret } = callback
  const again = (sealed: Buffer) =>
    sealOne(secrets, { sealed, context: secretContext(unitId), of: id }, totals)
  return { id, unitId, secret: again(secret), oldSecret: oldSecret && again(oldSecret) }
}

/** The same of a signing key. */
function sealKeyAgain(secrets: SecretBox, key: SealedEventKey, totals: Sealed): SealedEventKey {
  const { id, secret } = key
  return {
    ...key,
    secret: sealOne(secrets, { sealed: secret, context: eventKeyContext(id), of: id }, totals),
  }
}

type SealedOne = { sealed: Buffer; context: string; of: string }

function sealOne(secrets: SecretBox, { sealed, context, of }: SealedOne, totals: Sealed): Buffer {
  try {
    const secret = secrets.open(sealed, context)
    const current = secrets.isCurrent(sealed)
    totals[current ? 'current' : 'earlier'] += 1
    return current ? sealed : secrets.seal(secret, context)
  } catch {
    totals.unreadable.push(of)
    return sealed
  }
}

function newCount(): Sealed {
  return { current: 0, earlier: 0, unreadable: [] }
}
