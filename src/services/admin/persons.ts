import type { CreatePerson, EditPerson, Person, PersonListQuery } from '../../contract/admin/person.ts'
import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  findPerson,
  insertPerson,
  listPersons as listRows,
  lockSystemAdmins,
  updatePerson,
} from '../../db/queries/identity/person.ts'
import { lockRow } from '../../db/rows.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { changedFields } from '../../domain/lib/changed-fields.ts'
import { byId, type Page, pageOf } from '../page.ts'
import { validationError } from '../validation-error.ts'

/** @throws ServiceError validation_error for an invalid cursor */
export async function listPersons(db: Db, query: PersonListQuery): Promise<Page<Person>> {
  return pageOf(
    query,
    byId,
    (page) => listRows(db, query.email, page),
    (row) => row,
  )
}

/** @throws ServiceError validation_error if another person has the address */
export function createPerson(db: Db, actor: string, person: CreatePerson): Promise<Person> {
  return addressed(() =>
    db.transaction().execute(async (trx) => {
      const id = await insertPerson(trx, person)
      const details = { systemAdmin: person.systemAdmin ?? false }
      await insertAudit(trx, { ...{ unitId: null, actor, action: 'create', details }, ...objectOf(id) })
      return (await findPerson(trx, id))!
    }),
  )
}

/** @throws ServiceError not_found, validation_error if another person has the address, or for the last administrator */
export function editPerson(db: Db, actor: string, id: string, patch: EditPerson): Promise<Person> {
  return addressed(() =>
    db.transaction().execute(async (trx) => {
      if (patch.systemAdmin === false) await assertOthersAdminister(trx, id)
      await lockRow(trx, 'person', id, 'change')
      const before = await findPerson(trx, id)
      if (!before) throw new ServiceError('not_found', `No person ${id}. Check the id.`)
      await updatePerson(trx, id, patch)
      const after = (await findPerson(trx, id))!
      const fields = changedFields(before, after)
      if (fields.length === 0) return before
      const { systemAdmin } = after
      const details = { fields, ...(fields.includes('systemAdmin') && { systemAdmin }) }
      await insertAudit(trx, { ...{ unitId: null, actor, action: 'edit', details }, ...objectOf(id) })
      return after
    }),
  )
}

/** Locks all system administrators, so that the last two cannot remove each other. */
async function assertOthersAdminister(trx: Trx, id: string): Promise<void> {
  const admins = await lockSystemAdmins(trx)
  if (!admins.includes(id) || admins.length > 1) return
  throw validationError([
    {
      path: 'systemAdmin',
      ...broken('last_administrator'),
    },
  ])
}

function objectOf(id: string) {
  return { objectKind: 'person', objectId: id } as const
}

async function addressed(write: () => Promise<Person>): Promise<Person> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'person_email_key')) throw error
    throw validationError([{ path: 'email', ...broken('taken', { of: 'person' }) }])
  }
}
