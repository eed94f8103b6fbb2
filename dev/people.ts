import type { Db, Trx } from '../src/db/connect.ts'
import {
  findPersonByEmail,
  insertPerson,
  type PersonChange,
  updatePerson,
} from '../src/db/queries/identity/person.ts'
import { changeSubjects, insertVisitors, type SubjectChange } from '../src/db/queries/subject/subject.ts'

/** A subject as written by the demo and the tests. */
export type SubjectRecord = Omit<SubjectChange, 'addTags' | 'removeTags'> & { tags?: string[] }

/** Writes many subjects with the statements of an import; uids must be unique. Returns ids by uid. */
export async function upsertSubjects(db: Db, subjects: SubjectRecord[]): Promise<Map<string, string>> {
  return within(db, async (trx) => {
    await insertVisitors(
      trx,
      subjects.map(({ uid }) => uid),
    )
    return changeSubjects(
      trx,
      subjects.map(({ tags = [], ...change }) => ({ ...change, addTags: tags })),
    )
  })
}

/** Creates or updates the person with this address; omitted fields keep their values. Returns the person's id. */
export async function upsertPerson(
  db: Db,
  { email, ...change }: PersonChange & { email: string; name: string },
): Promise<string> {
  return within(db, async (trx) => {
    const person = await findPersonByEmail(trx, email)
    if (!person) return insertPerson(trx, { email, ...change })
    await updatePerson(trx, person.id, change)
    return person.id
  })
}

/** Runs `work` in the caller's transaction, or in a new one. */
function within<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Trx) : db.transaction().execute(work)
}
