import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type Api, startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api: Api = forFile(() => startApi())

const idOf = async (uid: string) =>
  (await api.database.db.selectFrom('subject').select('id').where('uid', '=', uid).executeTakeFirstOrThrow())
    .id
const resolve = (key: string, ids: string[]) => api.call('resolveSubjects', { key, body: { ids } })

it('gives the uids of those whom a unit was given, to keys that may name people, and audits whose', async () => {
  const { db } = api.database
  const [runs, answers, foreign] = await Promise.all(['s1', 's2', 's3'].map(idOf))
  const ours = await insertScenario(db, { unitId: api.units.a })
  const theirs = await insertScenario(db, { unitId: api.units.b })
  await insertScenarioRun(db, { scenario: ours, subjectId: runs! })
  await insertScenarioRun(db, { scenario: theirs, subjectId: foreign! })
  const { id: messageId } = await insertSentMessage(api, newMessage)
  const answer = { message_id: messageId, subject_id: answers!, question: '0', n: 0, o: '0' }
  await db
    .insertInto('message_answer')
    .values({ ...answer, option_id: 'yes', data: null, channel: 'chat' })
    .execute()

  const asked = [runs!, answers!, answers!.toUpperCase(), foreign!, randomUUID()]
  const { status, body } = await resolve(api.keys.individual, asked)
  expect(status).toBe(200)
  const known = [
    { subjectId: runs, uid: 's1' },
    { subjectId: answers, uid: 's2' },
  ]
  expect(
    body.items.toSorted((one: { uid: string }, two: { uid: string }) => one.uid.localeCompare(two.uid)),
  ).toEqual(known)
  const audited = db.selectFrom('audit').select('details').where('object_kind', '=', 'subject')
  expect(await audited.where('action', '=', 'read').execute()).toEqual([
    { details: { what: 'resolve', asked: 5, subjectIds: expect.arrayContaining([runs, answers]) } },
  ])

  expect((await resolve(api.keys.a, asked)).code).toBe('individual_targeting_disabled')
  expect((await resolve(api.keys.administrative, [foreign!])).body.items).toMatchObject([{ uid: 's3' }])
  expect((await resolve(api.keys.individual, [])).code).toBe('validation_error')
  expect((await resolve(api.keys.individual, Array(1_001).fill(runs))).code).toBe('validation_error')
})
