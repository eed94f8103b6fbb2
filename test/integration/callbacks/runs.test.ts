import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { PostbackData } from '../../../src/contract/messages/content.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { takeCallbackDeliveries } from '../../../src/db/queries/callback/delivery.ts'
import { endRuns } from '../../../src/db/queries/scenario-run/end.ts'
import { deliver } from '../../../src/services/callbacks/deliver.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { registerReceiver } from '../../fixtures/callback-receiver.ts'
import { walkOn } from '../../fixtures/patterns.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { event, postback, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
const api = forFile(() => startWebhookApi({ outbound }))
afterAll(async () => {
  await outbound.close()
})
beforeEach(async () => {
  await api.database.db.deleteFrom('callback_delivery').execute()
  await api.database.db.deleteFrom('callback').execute()
})

const seat: PostbackData = { v: 1, o: 'yes', s: 'open-day', a: 'seat' }
/** A question whose button carries data of the producer, and that also takes texts. */
const content: Partial<ScenarioContent> = {
  nodes: [
    {
      ...{ id: 'ask', kind: 'question', timeoutSeconds: 3_600 },
      message: {
        ...{ kind: 'buttons', text: { 'zh-TW': '參加嗎？' } },
        actions: [{ kind: 'postback', label: { 'zh-TW': '參加' }, data: seat }],
      },
    },
    { id: 'end', kind: 'end' },
  ],
  edges: (['otherwise', 'text', 'timeout'] as const).map((kind) => ({
    ...{ from: 'ask', to: 'end', when: { kind } },
  })),
}

/** A run of a new scenario that has asked Us1. */
async function runAtQuestion(columns: object = {}) {
  const { db } = api.database
  const scenario = await insertScenario(db, { unitId: api.units.a, content })
  const { id: subjectId } = await api.person('s1')
  const id = await insertScenarioRun(db, { scenario, subjectId, columns: { node: 'ask', ...columns } })
  await walkOn(api.services, id)
  return { id, about: { runId: id, scenarioId: scenario.id, version: 1, unitId: api.units.a }, subjectId }
}

const tap = (id: string) => api.happens(postback('Us1', { v: 1, s: id, m: 'ask', n: '0', o: '0' }))

/** Tries everything that is due, one after another. Returns what was received. */
async function delivered({ received }: { received: { body: string }[] }) {
  const { db } = api.database
  const slots = { limit: 1, perCallback: 100, perUnit: 100, busy: {}, leaseSeconds: 30 }
  const take = () => db.transaction().execute((trx) => takeCallbackDeliveries(trx, slots))
  const { services } = api
  const parts = { db, outbound, secrets: services.secrets!, log: services.log }
  for (let due = await take(); due.length > 0; due = await take()) await deliver(parts, due[0]!)
  return received.map(({ body }) => JSON.parse(body)).map(({ type, data }) => ({ type, data }))
}

const both = ['run.answered', 'run.ended']

describe('a callback about runs', () => {
  it('receives the answer with the producer’s own data, and then the end', async () => {
    const key = await api.newKey(api.units.a, { individualTargeting: true })
    const receiver = await registerReceiver(api, key, both)
    const { id, about, subjectId } = await runAtQuestion()
    await tap(id)
    await walkOn(api.services, id)
    expect(await delivered(receiver)).toEqual([
      {
        type: 'run.answered',
        data: { ...about, subjectId, uid: 's1', node: 'ask', optionId: 'yes', data: seat },
      },
      { type: 'run.ended', data: { ...about, state: 'done', reason: null } },
    ])
    const { items } = (await api.call('listCallbackDeliveries', { key, id: receiver.id })).body
    expect(items).toMatchObject([
      { type: 'run.ended', messageId: null, runId: id, messageState: null, state: 'delivered' },
      { type: 'run.answered', messageId: null, runId: id, messageState: null, state: 'delivered' },
    ])
    const run = await api.call('getRun', { key, id })
    expect(run.body.answers).toMatchObject([{ node: 'ask', optionId: 'yes', data: seat }])
    const answers = await api.call('listScenarioAnswers', { key, id: about.scenarioId })
    expect(answers.body.items).toMatchObject([{ optionId: 'yes', data: seat }])
  })

  it('does not receive a typed text, which the run has, nor the answers where it may not name people', async () => {
    const [named, nameless] = [await api.newKey(api.units.a, { individualTargeting: true }), api.keys.a]
    const receivers = [await registerReceiver(api, named, both), await registerReceiver(api, nameless, both)]
    const { id, about, subjectId } = await runAtQuestion()
    await api.happens(event('message', 'Us1', { message: { type: 'text', id: '1', text: '可能' } }))
    await api.database.db
      .transaction()
      .execute((trx) => endRuns(trx, { ids: [id] }, { state: 'cancelled', reason: 'left' }))
    const ended = { type: 'run.ended', data: { ...about, state: 'cancelled', reason: 'left' } }
    expect(await delivered(receivers[0]!)).toEqual([
      {
        type: 'run.answered',
        data: { ...about, subjectId, uid: 's1', node: 'ask', optionId: null, data: null },
      },
      ended,
    ])
    expect(await delivered(receivers[1]!)).toEqual([ended])
  })

  it('names people only while its key may, and each time in the audit', async () => {
    const { db } = api.database
    const rights = { individualTargeting: true }
    const keys = {
      named: await api.newKey(api.units.a, rights),
      nameless: api.keys.a,
      revoked: await api.newKey(api.units.a, rights),
      foreign: await api.newKey(api.units.b, rights),
    }
    const receivers = await Promise.all(Object.values(keys).map((key) => registerReceiver(api, key, both)))
    const { id } = await runAtQuestion()
    await tap(id)
    const revokedId = keys.revoked.split('_')[1]!
    await db.updateTable('producer_key').set({ revoked_at: new Date() }).where('id', '=', revokedId).execute()
    const got = []
    for (const receiver of receivers) got.push((await delivered(receiver)).map(({ data }) => data.uid))
    expect(got).toEqual([['s1'], [], [], []])
    const audited = db.selectFrom('audit').select('object_id as callback').where('action', '=', 'send_uid')
    expect(
      await audited
        .where(
          'object_id',
          'in',
          receivers.map(({ id }) => id),
        )
        .execute(),
    ).toEqual([{ callback: receivers[0]!.id }])
  })

  it('hears nothing of tests, and nothing that it has not asked for', async () => {
    const key = await api.newKey(api.units.a, { individualTargeting: true })
    const [all, others] = [
      await registerReceiver(api, key, both),
      await registerReceiver(api, key, ['message.closed']),
    ]
    const { id } = await runAtQuestion({ test: true, occasion: 'test' })
    await tap(id)
    await walkOn(api.services, id)
    expect([await delivered(all), await delivered(others)]).toEqual([[], []])
  })

  it('is sent what belongs to a run in order: its end waits for its answer', async () => {
    const key = await api.newKey(api.units.a, { individualTargeting: true })
    const receiver = await registerReceiver(api, key, both)
    receiver.answer({ status: 500 })
    const { id } = await runAtQuestion()
    await tap(id)
    expect(await delivered(receiver)).toMatchObject([{ type: 'run.answered' }])
    await walkOn(api.services, id)
    expect(await delivered(receiver)).toHaveLength(1)
  })
})
