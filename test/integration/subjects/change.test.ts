import { expect, it } from 'vitest'
import { upsertSubjects } from '../../../dev/people.ts'
import { changeSubjects, type SubjectChange } from '../../../src/db/queries/subject/subject.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const database = forFile(freshDatabase)

const person = (uid: string) =>
  database.db.selectFrom('subject').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow()

it('a concurrent change is applied, also when it depends on previous values', async () => {
  const uid = 'a1'
  await upsertSubjects(database.db, [{ uid, locale: 'en', tags: ['old'], displayName: 'Mei' }])
  const first: SubjectChange = { uid, locale: 'zh-TW', removeTags: ['old'], displayName: 'Lin' }
  const second: SubjectChange = { uid, locale: 'en', addTags: ['old'], displayName: 'Mei' }
  const ids = await commitWhileBlocked(
    database.db,
    (trx) => changeSubjects(trx, [first]),
    () => database.db.transaction().execute((trx) => changeSubjects(trx, [second])),
  )
  expect(await person(uid)).toMatchObject({
    id: ids.get(uid),
    ...{ locale: 'en', tags: ['old'], display_name: 'Mei' },
  })
})

it('unknown subjects are left out, and nothing is written without a change', async () => {
  await upsertSubjects(database.db, [{ uid: 'b1', locale: 'en' }])
  const before = await person('b1')
  const ids = await database.db.transaction().execute((trx) =>
    changeSubjects(trx, [
      { uid: 'b1', locale: 'en' },
      { uid: 'nobody', locale: 'en' },
    ]),
  )
  expect([...ids.keys()]).toEqual(['b1'])
  expect(await person('b1')).toEqual(before)
})
