import { adapters } from '../../channels/index.ts'
import type { Channel } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { readValue } from '../../contract/read-value.ts'
import { broken } from '../../contract/rules.ts'
import { type BindAddress, Uid } from '../../contract/subjects/subject.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { lockFollows } from '../../db/queries/event/webhook.ts'
import { findBinder } from '../../db/queries/subject/address.ts'
import { isBoundElsewhere, setAddresses } from '../../db/queries/subject/consent.ts'
import { lockSubject } from '../../db/queries/subject/preference.ts'
import {
  changeSubjects,
  deleteAddress,
  findSubjectNames,
  insertVisitors,
} from '../../db/queries/subject/subject.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import { addressHasher } from '../address-hash.ts'
import type { Services } from '../context.ts'
import { plainIssue, validationError } from '../validation-error.ts'
import { type ToldRun, wakeRuns } from '../wake-scenario-runs.ts'
import { lockSubjectByName, noSuchSubject, readSubject } from './find.ts'
import { followAddresses } from './follow-addresses.ts'
import { applyLastFollow } from './last-follow.ts'

/** What an address of a channel has besides its row. */
type AddressHooks = {
  /** Orders the binding of an address and the events that change its binding. */
  lock(trx: Trx, address: string): Promise<void>
  /** The address has been bound to a person, or (null) unbound. */
  changed(trx: Trx, subjectId: string, address: string | null): Promise<void>
}

/** Starts the runs that begin because an address with hooks is now bound; returns those to wake. */
type StartByBinding = (trx: Trx, subjectId: string, address: string) => Promise<ToldRun[]>

/** Null: an address is its row alone. */
const hooks: Record<Channel, AddressHooks | null> = {
  chat: {
    lock: lockFollows,
    async changed(trx, subjectId, address) {
      await followAddresses(trx, [subjectId])
      if (address !== null) await applyLastFollow(trx, subjectId, address)
    },
  },
  email: null,
}

type AddressTarget = { uid: string; channel: Channel }

/**
 * Binds an address whose ownership the caller has verified; an unknown uid becomes a visitor. Acquisition is written at
 * first contact and never overwritten. A suppressed address can be bound, and stays suppressed. `starts`: what begins by it.
 * @throws ServiceError validation_error; invalid_transition if the address is bound to another subject, in any spelling;
 *   not_configured
 */
export async function bindAddress(
  services: Services,
  principal: ProducerPrincipal,
  { uid: named, channel }: AddressTarget,
  body: BindAddress,
  starts: StartByBinding,
): Promise<{ subjectId: string }> {
  const { db, secrets } = services
  const address = normaliseAddress(channel, body.address)
  if (address === null)
    throw validationError([{ path: 'address', ...broken('wrong_format', { format: `${channel}_address` }) }])
  const hash = (await addressHasher(db, secrets))(channel, address)
  try {
    const { wakes, ...done } = await db.transaction().execute(async (trx) => {
      await hooks[channel]?.lock(trx, address)
      const { subjectId, changed } = await findOrCreateSubject(trx, named, body.acquisition)
      const bound = await setAddresses(trx, [{ subjectId, channel, address, hash }])
      await hooks[channel]?.changed(trx, subjectId, address)
      if (bound > 0 || changed) await audit(trx, byKey(principal), { action: 'bind', subjectId, channel })
      return {
        subjectId,
        wakes: bound > 0 && hooks[channel] ? await starts(trx, subjectId, address) : [],
      }
    })
    wakeRuns(services, wakes)
    return done
  } catch (error) {
    if (!isBoundElsewhere(error)) throw error
    throw new ServiceError(
      'invalid_transition',
      'This address is bound to another subject. Unbind it there first.',
      { by: null, at: null, ...(await findBinder(db, channel, address)), state: 'bound' },
    )
  }
}

/**
 * Removes the address of a channel, if there is one. Its suppression stays; handoffs at it end.
 * @throws ServiceError not_found
 */
export async function unbindAddress(
  db: Db,
  by: Author,
  { uid: named, channel }: AddressTarget,
): Promise<{ subjectId: string }> {
  return db.transaction().execute(async (trx) => {
    const { id: subjectId } = await lockSubjectByName(trx, named)
    if (!(await deleteAddress(trx, subjectId, channel))) return { subjectId }
    await hooks[channel]?.changed(trx, subjectId, null)
    await audit(trx, by, { action: 'unbind', subjectId, channel })
    return { subjectId }
  })
}

/** An address in the form its channel uses; null if it is invalid. */
export function normaliseAddress(channel: Channel, text: string): string | null {
  return adapters[channel].normaliseAddress(text)
}

/** `changed`: whether the subject is new, or its first contact is known only now. */
async function findOrCreateSubject(
  trx: Trx,
  named: string,
  acquisition: BindAddress['acquisition'],
): Promise<{ subjectId: string; changed: boolean }> {
  const person = await findSubjectNames(trx, { named, id: idOrNull(named), hold: true })
  const uid = person?.uid ?? newUid(named)
  if (!person) await insertVisitors(trx, [uid])
  const before = person && (await lockedSubject(trx, person.id))
  const ids = await changeSubjects(trx, [
    { uid, ...(acquisition && { acquisition: definedAcquisition(acquisition) }) },
  ])
  const id = ids.get(uid)
  if (id === undefined) throw noSuchSubject() // a concurrent request created it, and another one erased it
  return { subjectId: id, changed: !before || (acquisition !== undefined && before.acquisition === null) }
}

async function lockedSubject(trx: Trx, id: string) {
  await lockSubject(trx, id)
  return readSubject(trx, id)
}

function newUid(named: string): string {
  const uid = readValue(Uid, named)
  if (uid.success) return uid.data
  throw validationError(uid.error.issues.map((issue) => ({ ...plainIssue(issue), path: 'uid' })))
}

/** Leaves out undefined fields. */
export function definedAcquisition({ source, ref }: { source: string; ref?: string | undefined }) {
  return { source, ...(ref !== undefined && { ref }) }
}

/** Who changes an address, for the audit log. `unitId` null: an operator. */
type Author = { unitId: string | null; actor: string }

/** A producer key as the author of a change. */
export function byKey(principal: ProducerPrincipal): Author {
  return { unitId: principal.unitId, actor: actorOf(principal) }
}

function audit(
  trx: Trx,
  by: Author,
  { action, subjectId, channel }: { action: string; subjectId: string; channel: Channel },
) {
  return insertAudit(trx, {
    ...by,
    action,
    objectKind: 'subject',
    objectId: subjectId,
    details: { channel },
  })
}
