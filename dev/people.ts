import type { Db, Trx } from '../src/db/connect.ts'
import {
  findPersonByEmail,
  insertPerson,
  type PersonChange,
  updatePerson,
} from '../src/db/queries/identity/person.ts'
import { changeSubjects, insertVisitors, type SubjectChange } from '../src/db/queries/subject/subject.ts'

/** A whole person, as the demo and the tests write them. */
export type SubjectRecord = Omit<SubjectChange, 'addTags' | 'removeTags'> & { tags?: string[] }

/** Writes many people at once, by the statements of an import; each uid once. Answers ids by uid. */
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

/** The person with this address, made where there is none; a known one keeps what is left out. Answers their id. */
export async function upsertPerson(
  db: Db,
  { email, ...change }: PersonChange & { email: string; name: string },
): Promise<string> {
  return within(db, async (trx) => {
    const known = await findPersonByEmail(trx, email)
    if (!known) return insertPerson(trx, { email, ...change })
    await updatePerson(trx, known.id, change)
    return known.id
  })
}

/** In the transaction that is under way, or in one of its own. */
function within<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Trx) : db.transaction().execute(work)
}
