import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { answersOf, option, text } from '../../fixtures/conversations.ts'
import { insertChatPerson, insertHandoff } from '../../fixtures/handoffs.ts'
import { addedSince, valuesOf } from '../../fixtures/metrics.ts'
import { walkOn } from '../../fixtures/patterns.ts'
import { updateRows } from '../../fixtures/rows.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  scenarioRunRow,
} from '../../fixtures/scenario-rows.ts'
import { event, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

/** What people typed before they could read a question, and what the provider delivers late. */

let chat: string
let subjectId: string
/** What people were told at once by the tokens of their events. */
const replies: string[] = []
const api = forFile(() =>
  startWebhookApi({
    wake: () => {},
    replyChat: async ({ content }) => {
      replies.push(JSON.stringify(contentFor(content)))
      return { kind: 'accepted' }
    },
  }),
)
beforeEach(async () => {
  replies.length = 0
  const { db } = api.database
  await db.deleteFrom('scenario_trigger').execute()
  ;({ address: chat, subjectId } = await insertChatPerson(db))
})

/** Asks whether the person wants it, and then for anything that they want to say. */
const twoQuestions: ScenarioContent = {
  nodes: [
    {
      ...{ id: 'ask', kind: 'question', timeoutSeconds: 86_400 },
      message: { kind: 'buttons', text: { 'zh-TW': '要嗎？' }, actions: [option('yes', '要')] },
    },
    { id: 'why', kind: 'question', timeoutSeconds: 86_400, message: text('想問什麼？') },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { from: 'ask', to: 'why', when: { kind: 'otherwise' } },
    { from: 'ask', to: 'end', when: { kind: 'timeout' } },
    { from: 'why', to: 'end', when: { kind: 'text' } },
    { from: 'why', to: 'end', when: { kind: 'timeout' } },
  ],
}

const hour = 3_600_000
const type = (words: string, lateMs = 0) =>
  event('message', chat, {
    ...{ message: { type: 'text', id: '1', text: words }, replyToken: randomUUID() },
    ...{ timestamp: Date.now() - lateMs, deliveryContext: { isRedelivery: lateMs > 0 } },
  })
const lastOutcomes = async (count: number) => (await api.outcomes()).slice(-count)

const newScenario = () => insertScenario(api.database.db, { unitId: api.units.a, content: twoQuestions })

/** A run that has asked its first question, or is to begin with another one. */
async function runAtQuestion(node = 'ask'): Promise<string> {
  const id = await insertScenarioRun(api.database.db, {
    ...{ scenario: await newScenario(), subjectId },
    columns: { node },
  })
  await walkOn(api.services, id)
  return id
}

async function trigger(name: string): Promise<InsertedScenario> {
  const scenario = await newScenario()
  const row = { trigger: name, scenario_id: scenario.id }
  await api.database.db.insertInto('scenario_trigger').values(row).execute()
  return scenario
}

async function runsOf({ id }: InsertedScenario) {
  const rows = api.database.db.selectFrom('scenario_run').select(['id', 'state'])
  return rows.where('scenario_id', '=', id).where('subject_id', '=', subjectId).orderBy('id').execute()
}

describe('of two texts in a row', () => {
  it('the second is no answer to the question that follows the first, and its person is told so', async () => {
    const id = await runAtQuestion()
    await api.postEvents(type('要'), type('謝謝老師'))
    await api.processNext()
    await walkOn(api.services, id)
    await api.processAll()
    expect(await lastOutcomes(2)).toEqual(['answered', 'early'])
    expect(await answersOf(api.database.db, id)).toEqual(['yes'])
    expect(replies).toEqual([expect.stringContaining('這則訊息是在上方的問題送出前收到的')])
    await api.happens(type('獎學金'))
    expect(await answersOf(api.database.db, id)).toEqual(['yes', '獎學金'])
  })

  it('the second is told that the first has answered, if the next question was not sent yet', async () => {
    const id = await runAtQuestion()
    await api.happens(type('要'), type('謝謝老師'))
    expect(await lastOutcomes(2)).toEqual(['answered', 'repeated'])
    expect(replies).toEqual([expect.stringContaining('您先前已回答：要')])
    await walkOn(api.services, id)
    await api.happens(type('獎學金'))
    expect(await answersOf(api.database.db, id)).toEqual(['yes', '獎學金'])
  })

  it('the second still starts what it is the keyword of, and stands in a handoff', async () => {
    const tour = await trigger('keyword:tour')
    const id = await runAtQuestion()
    await api.postEvents(type('要'), type('tour'), type('謝謝老師'))
    await api.processNext()
    await walkOn(api.services, id)
    await api.processNext()
    expect(await runsOf(tour)).toHaveLength(1)
    await insertHandoff(api.database.db, { unit_id: api.units.a, subject_id: subjectId })
    await api.processAll()
    expect(await lastOutcomes(3)).toEqual(['answered', 'started', 'handed_over'])
  })

  it('the second leaves the conversation that the first has begun', async () => {
    const tour = await trigger('keyword:tour')
    await api.happens(type('tour'), type('取消'))
    expect(await lastOutcomes(2)).toEqual(['started', 'left'])
    expect(await runsOf(tour)).toMatchObject([{ state: 'cancelled' }])
  })
})

it('a question that its provider has refused for now is not asked yet', async () => {
  const id = await runAtQuestion('why')
  const turns = api.database.db.updateTable('turn').where('run_id', '=', id)
  const refused = { state: 'pending', closed_at: null, first_try_at: new Date(), tries: 1 } as const
  await turns.set({ ...refused, unclear: false }).execute()
  await api.happens(type('謝謝老師'))
  expect([await lastOutcomes(1), await answersOf(api.database.db, id)]).toEqual([['recorded'], []])
  await turns.set({ unclear: true }).execute()
  await api.happens(type('獎學金'))
  expect([await lastOutcomes(1), await answersOf(api.database.db, id)]).toEqual([['answered'], ['獎學金']])
})

describe('a text that the provider delivers late', () => {
  it('answers the question that its person had read, and none that was sent since', async () => {
    const id = await runAtQuestion('why')
    await api.happens(type('獎學金', 2 * 60_000))
    expect([await lastOutcomes(1), await answersOf(api.database.db, id)]).toEqual([['early'], []])
    const sent = new Date(Date.now() - 3 * hour)
    await updateRows(api.database.db, 'turn', { run_id: id }, { first_try_at: sent, closed_at: sent })
    await api.happens(type('獎學金', 2 * hour))
    expect([await lastOutcomes(1), await answersOf(api.database.db, id)]).toEqual([['answered'], ['獎學金']])
  })

  it('starts nothing if it is more than an hour late, and is counted', async () => {
    const tour = await trigger('keyword:tour')
    const other = await trigger('otherwise')
    const counted = await valuesOf('carillon_scenario_answers_total')
    await api.happens(type('tour', 3 * 24 * hour), type('嗨', 61 * 60_000))
    expect(await lastOutcomes(2)).toEqual(['outdated', 'outdated'])
    expect([await runsOf(tour), await runsOf(other)]).toEqual([[], []])
    expect(await addedSince(counted, 'carillon_scenario_answers_total')).toEqual({ outdated: 2 })
    await api.happens(type('tour', 59 * 60_000))
    expect([await lastOutcomes(1), (await runsOf(tour)).length]).toEqual([['started'], 1])
  })

  it('leaves the conversation that it was typed in, and none that has begun since', async () => {
    const id = await runAtQuestion()
    await api.happens(type('取消', 2 * hour))
    expect(await lastOutcomes(1)).toEqual(['outdated'])
    const begun = { created_at: new Date(Date.now() - 3 * hour) }
    await api.database.db.updateTable('scenario_run').set(begun).where('id', '=', id).execute()
    await api.happens(type('取消', 2 * hour))
    expect(await lastOutcomes(1)).toEqual(['left'])
    expect(await scenarioRunRow(api.database.db, id)).toMatchObject({ state: 'cancelled', reason: 'left' })
  })
})
