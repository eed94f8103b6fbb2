import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { tap } from '../../../src/channels/chat/taps.ts'
import { wakePatternRuns } from '../../../src/services/patterns/wake-runs.ts'
import { storeEvent, tapOption, workOff } from '../../fixtures/conversations.ts'
import { type ChatPerson, insertChatPerson } from '../../fixtures/handoffs.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { forApiWithRuns } from '../../fixtures/open-runs.ts'
import { placesIn } from '../../fixtures/patterns.ts'
import { eventually } from '../../harness/eventually.ts'

const { api, runs } = forApiWithRuns(1_000)

/** What the phone of a person has shown, as JSON. */
async function phoneOf({ address }: ChatPerson): Promise<string[]> {
  const items = (await runs.chat.journal()).filter(({ to, status }) => status === 200 && to.includes(address))
  return items.flatMap(({ messages }) => messages.map((message) => JSON.stringify(message)))
}

const shows = (person: ChatPerson, words: string) =>
  eventually(async () => expect((await phoneOf(person)).at(-1)).toContain(words))

it('three calls lead to answers, places and a waiting list, without a graph being drawn', async () => {
  const { db } = api.database
  const key = api.keys.individual
  const people = [await insertChatPerson(db), await insertChatPerson(db)]

  const pattern = await api.call('createPattern', {
    key,
    body: newPattern({ capacity: 1, questions: undefined }),
  })
  const { id, scenarioId } = pattern.body
  await api.call('putScenario', { key, id: scenarioId, body: { state: 'active' } })
  const text = { 'zh-TW': '一起來圖書館導覽！' }
  const actions = [{ kind: 'jumpScenario', label: { 'zh-TW': '看看' }, scenarioId }]
  const audience = { kind: 'individual', uids: people.map(({ uid }) => uid) }
  const message = await api.call('createMessage', {
    ...{ key, headers: { 'idempotency-key': randomUUID() } },
    body: { ...newMessage, categoryId: 'manual', audience, messages: [{ kind: 'buttons', text, actions }] },
  })
  await api.call('submitMessage', { key, id: message.body.id })
  const approved = await api.call('approveMessage', { session: api.sessions.approver, id: message.body.id })
  expect(approved.body).toEqual({ approved: true })
  await Promise.all(people.map((person) => shows(person, '看看')))

  const hearing = { db, parts: { db, log: runs.parts.log }, wake: runs.wake }
  const press = async ({ address }: ChatPerson) => {
    const data = JSON.stringify(tap({ m: message.body.id }, 0, '0'))
    return workOff(hearing, await storeEvent(runs, address, { type: 'postback', postback: { data } }))
  }
  const runOf = async ({ uid }: ChatPerson) => {
    const query = db.selectFrom('scenario_run').innerJoin('subject', 'subject.id', 'subject_id')
    const newest = query.select('scenario_run.id').where('uid', '=', uid).orderBy('scenario_run.id', 'desc')
    return (await newest.executeTakeFirstOrThrow()).id
  }
  const answer = async (person: ChatPerson, o: string, node: string) =>
    tapOption(hearing, { id: await runOf(person), address: person.address }, o, node)

  for (const person of people) {
    expect(await press(person)).toBe('started')
    await shows(person, '我要報名')
    expect((await phoneOf(person)).at(-1)).toContain('剩餘名額')
    expect(await answer(person, '0', 'join')).toBe('answered')
    await shows(person, person === people[0] ? '您已完成「圖書館導覽」的報名' : '排入候補')
  }
  expect((await placesIn(db, id)).map(({ state }) => state)).toEqual(['registered', 'waitlisted'])

  expect(await answer(people[0]!, '0', 'manage')).toBe('answered')
  await shows(people[0]!, '我想報名')
  await wakePatternRuns({ db, wake: runs.wake })
  await shows(people[1]!, '您已完成「圖書館導覽」的報名')
  expect((await placesIn(db, id)).map(({ state }) => state)).toEqual(['withdrawn', 'registered'])
  // Changing one's mind begins anew.
  expect(await answer(people[0]!, '0', 'withdrawn')).toBe('answered')
  await shows(people[0]!, '我要報名')
})
