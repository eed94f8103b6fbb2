import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertRow, selectRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api: Api = forFile(() => startApi())

/** The subject ids of a person who talked with unit a, one who answered it, one of unit b, one erased, and nobody. */
const ids: Record<'run' | 'answer' | 'foreign' | 'erased' | 'nobody', string> = {
  ...{ run: '', answer: '', foreign: '', erased: '', nobody: randomUUID() },
}
const uids = { run: 's1', answer: 's2', foreign: 's3', erased: 'to-be-erased' }

beforeAll(async () => {
  const { db } = api.database
  await db.insertInto('subject').values({ uid: uids.erased }).execute()
  for (const who of ['run', 'answer', 'foreign', 'erased'] as const) {
    const query = db.selectFrom('subject').select('id').where('uid', '=', uids[who])
    ids[who] = (await query.executeTakeFirstOrThrow()).id
  }
  const ours = await insertScenario(db, { unitId: api.units.a })
  const theirs = await insertScenario(db, { unitId: api.units.b })
  await insertScenarioRun(db, { scenario: ours, subjectId: ids.run })
  await insertScenarioRun(db, { scenario: ours, subjectId: ids.erased })
  await insertScenarioRun(db, { scenario: theirs, subjectId: ids.foreign })
  const { id: messageId } = await insertSentMessage(api, newMessage)
  const answer = { message_id: messageId, subject_id: ids.answer, question: '0', n: 0, o: '0' }
  await insertRow(db, 'message_answer', { ...answer, option_id: 'yes', data: null, channel: 'chat' })
  await api.call('eraseSubject', { key: api.keys.administrative, id: uids.erased })
})

const resolve = (key: string, subjectIds: string[]) =>
  api.call('resolveSubjects', { key, body: { ids: subjectIds } })
/** Rows that the audit log has of whose uids were read, by a key. */
const audited = async (key: string) =>
  (
    await selectRows(api.database.db, 'audit', { actor: `key:${key.split('_')[1]}`, action: 'read' }, [
      'details',
    ])
  ).map(({ details }) => details)

type Keys = 'a' | 'individual' | 'restricted' | 'revoked' | 'administrative' | 'b' | 'otherIndividual'
describe.each<[key: Keys, code: string | null, given: (keyof typeof uids)[]]>([
  ['individual', null, ['run', 'answer']],
  ['otherIndividual', null, ['foreign']],
  ['administrative', null, ['run', 'answer', 'foreign']],
  ['a', 'forbidden', []],
  ['b', 'forbidden', []],
  ['restricted', 'forbidden', []],
  ['revoked', 'invalid_credential', []],
])('the key %s', (name, code, names) => {
  it(`is given the uids of ${names.join(', ') || 'nobody'}; each use is in the audit`, async () => {
    const key =
      name === 'otherIndividual'
        ? await api.newKey(api.units.b, { individualTargeting: true })
        : api.keys[name]
    const subjectIds = [...Object.values(ids), ids.answer.toUpperCase()]
    const answer = await resolve(key, subjectIds)
    expect(answer.code).toBe(code)
    const named = Object.values(uids).filter((uid) => JSON.stringify(answer.body).includes(`"${uid}"`))
    expect(named).toEqual(names.map((who) => uids[who]))
    if (code !== null) return
    const items = names.map((who) => ({ subjectId: ids[who], uid: uids[who] }))
    expect(answer.body.items).toHaveLength(items.length)
    expect(answer.body.items).toEqual(expect.arrayContaining(items))
    expect(await audited(key)).toEqual([
      {
        ...{ what: 'resolve', asked: subjectIds.length },
        subjectIds: expect.arrayContaining(items.map(({ subjectId }) => subjectId)),
      },
    ])
  })
})

it('takes 1 to 1,000 ids', async () => {
  const { individual } = api.keys
  expect((await resolve(individual, [])).code).toBe('validation_error')
  expect((await resolve(individual, Array(1_001).fill(ids.run))).code).toBe('validation_error')
  expect((await resolve(individual, Array(1_000).fill(ids.run))).body.items).toHaveLength(1)
})
