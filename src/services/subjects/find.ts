import type { ProfileList } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { FoundSubject, Subject } from '../../contract/subjects/subject.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  findSubject,
  findSubjectNames,
  type SubjectNames,
  type SubjectRow,
} from '../../db/queries/subject/subject.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { toUtc } from '../instants.ts'

/**
 * The subject named in a path, by uid or subject id.
 * @throws ServiceError not_found
 */
export async function findSubjectByName(db: Db | Trx, named: string): Promise<SubjectNames> {
  const person = await findSubjectNames(db, { named, id: idOrNull(named) })
  if (!person) throw noSuchSubject()
  return person
}

/** The subject id of a uid that a filter names: null if there is no such person, undefined if none is named. */
export async function subjectNamed(db: Db, uid: string | undefined): Promise<string | null | undefined> {
  if (uid === undefined) return undefined
  return (await findSubjectNames(db, { named: uid, id: null }))?.id ?? null
}

/**
 * The same, locked: the subject cannot be erased before the transaction ends.
 * @throws ServiceError not_found
 */
export async function lockSubjectByName(trx: Trx, named: string): Promise<SubjectNames> {
  const person = await findSubjectNames(trx, { named, id: idOrNull(named), hold: true })
  if (!person) throw noSuchSubject()
  return person
}

/**
 * A subject as the key may see it: keys of administrative units see everything, others only the two ids. The audit log
 * records who saw everything.
 * @throws ServiceError not_found
 */
export async function getSubject(
  { db }: Services,
  principal: ProducerPrincipal,
  named: string,
): Promise<FoundSubject> {
  const { id, uid } = await findSubjectByName(db, named)
  if (principal.unitKind !== 'administrative') return { detail: 'ids', uid, subjectId: id }
  const subject = await readSubject(db, id)
  await auditReading(db, { unitId: principal.unitId, actor: actorOf(principal) }, id, 'subject')
  return { detail: 'full', ...subject }
}

/** Records in the audit log who read which data of a person. */
export async function auditReading(
  db: Db,
  { unitId, actor }: { unitId: string | null; actor: string },
  subjectId: string,
  what: 'subject' | 'deliveries' | 'turns' | 'trace' | 'address',
): Promise<void> {
  await insertAudit(db, {
    unitId,
    actor,
    action: 'read',
    objectKind: 'subject',
    objectId: subjectId,
    details: { what },
  })
}

/**
 * A subject with addresses and consents.
 * @throws ServiceError not_found if it has been erased
 */
export async function readSubject(db: Db | Trx, id: string): Promise<Subject> {
  const row = await findSubject(db, id)
  if (!row) throw noSuchSubject()
  return subjectOf(row)
}

/** The error if the subject named in a path does not exist, or has been erased. */
export function noSuchSubject(): ServiceError {
  return new ServiceError(
    'not_found',
    'No such subject. Check the uid; to create the subject, bind an address or import it.',
  )
}

function subjectOf(row: SubjectRow): Subject {
  const { acquisition_source: source, acquisition_ref: ref } = row
  const lists = { roles: row.roles, orgUnits: row.org_units, classIds: row.class_ids } satisfies Record<
    ProfileList,
    string[]
  >
  return {
    uid: row.uid,
    subjectId: row.id,
    stage: row.stage,
    tags: row.tags,
    profile: {
      displayName: row.display_name,
      locale: row.locale,
      ...lists,
      attributes: row.attributes,
    },
    acquisition: source === null ? null : { source, ref },
    addresses: row.addresses.map((one) => ({
      channel: one.channel,
      address: one.address,
      boundAt: toUtc(one.bound_at),
      blocked: one.blocked_at !== null,
      suppressed: one.suppressed_at !== null,
    })),
    consents: row.consents.map(consentOf),
    createdAt: toUtc(row.created_at),
    updatedAt: toUtc(row.updated_at),
  }
}

/** A consent as the API returns it. Its instants come from a row, or from JSON that Postgres wrote. */
export function consentOf(row: {
  scope: string
  version: string
  source: string
  granted_at: Date | string
  withdrawn_at: Date | string | null
}) {
  const { scope, version, source, granted_at, withdrawn_at } = row
  return {
    scope,
    version,
    source,
    grantedAt: toUtc(granted_at),
    withdrawnAt: withdrawn_at === null ? null : toUtc(withdrawn_at),
  }
}
