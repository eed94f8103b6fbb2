import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { tap } from '../../../src/channels/chat/taps.ts'
import { insertAnswer } from '../../../src/db/queries/answer/answer.ts'
import { insertAnswerCallbacks } from '../../../src/db/queries/callback/answers.ts'
import { insertMessageChange, takeCallbackDeliveries } from '../../../src/db/queries/callback/delivery.ts'
import { deliver } from '../../../src/services/callbacks/deliver.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { openReceiver, registerReceiver } from '../../fixtures/callback-receiver.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { postback, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
let messageId: string
let individual: string
const api = forFile(() => startWebhookApi({ outbound }))
afterAll(async () => {
  await outbound.close()
})

const yes = { v: 1 as const, o: 'yes', s: 'open-day', a: 'seat' }
beforeEach(async () => {
  await api.database.db.deleteFrom('callback_delivery').execute()
  await api.database.db.deleteFrom('callback').execute()
  const label = (text: string) => ({ 'zh-TW': text })
  const draft = await insertScenario(api.database.db, { unitId: api.units.a, state: 'draft' })
  const actions = [
    { kind: 'postback', label: label('參加'), data: yes },
    { kind: 'jumpScenario', label: label('再問'), scenarioId: draft.id },
  ]
  const messages = [{ kind: 'buttons', text: label('參加嗎？'), actions }]
  messageId = (await insertSentMessage(api, { ...newMessage, messages })).id
  individual = await api.newKey(api.units.a, { individualTargeting: true })
})

const answered = ['message.answered']
const press = (who: string, o: string) => api.happens(postback(who, tap({ m: messageId }, 0, o)))
const take = () => {
  const places = { limit: 1, perCallback: 100, perUnit: 100, busy: {}, leaseSeconds: 30 }
  return api.database.db.transaction().execute((trx) => takeCallbackDeliveries(trx, places))
}
/** Tries everything that is due, one after another. */
async function deliverDue() {
  const { services } = api
  const parts = { db: services.db, outbound, secrets: services.secrets!, log: services.log }
  for (let due = await take(); due.length > 0; due = await take()) await deliver(parts, due[0]!)
}
/** As if the pauses and back-offs of all deliveries were over. */
const bringForward = () =>
  sql`update callback_delivery set next_try_at = clock_timestamp() where outcome = 'pending'`.execute(
    api.database.db,
  )
const bodies = (received: { body: string }[]) => received.map(({ body }) => JSON.parse(body))
const counts = (received: { body: string }[]) =>
  bodies(received).map(({ type, data }) => ({ type, answers: data.answers }))
const counted = (answers: object) => ({ type: 'message.answer_counts', answers })

describe('a callback of a key that may target individuals', () => {
  it('receives each changed answer, with the producer’s own data', async () => {
    const { received } = await registerReceiver(api, individual, answered)
    await press('Us1', '0')
    await press('Us1', '0')
    await press('Us1', '1')
    await deliverDue()
    const { id: subjectId } = await api.person('s1')
    const about = { messageId, unitId: api.units.a, reference: null, subjectId, uid: 's1' }
    const told = { type: 'message.answered', timestamp: expect.any(String) }
    expect(bodies(received)).toEqual([
      { ...told, data: { ...about, optionId: 'yes', data: yes } },
      { ...told, data: { ...about, optionId: '1.2', data: null } },
    ])
  })

  it('receives the answers of one person in order, and another person’s meanwhile', async () => {
    const { received, answer } = await registerReceiver(api, individual, answered)
    answer({ status: 500 })
    await press('Us1', '0')
    await deliverDue()
    await press('Us1', '1')
    await press('Us2', '0')
    await deliverDue()
    const who = (body: { data: { subjectId: string; optionId: string } }) =>
      `${body.data.subjectId} ${body.data.optionId}`
    const [one, two] = [(await api.person('s1')).id, (await api.person('s2')).id]
    const order = [`${one} yes`, `${two} yes`, `${one} yes`, `${one} 1.2`]
    expect(bodies(received).map(who)).toEqual(order)
  })

  it('receives counts alone once the key has lost the right, also of what was waiting', async () => {
    const { received, id } = await registerReceiver(api, individual, answered)
    await press('Us1', '0')
    const keys = api.database.db.updateTable('producer_key').set({ individual_targeting: false })
    await keys.where('id', '=', individual.split('_')[1]!).execute()
    await deliverDue()
    const list = (await api.call('listCallbackDeliveries', { key: api.keys.a, id })).body.items
    expect(list).toMatchObject([
      { type: 'message.answer_counts', state: 'pending' },
      { type: 'message.answered', state: 'failed', reason: 'individual_targeting_disabled' },
    ])
    expect((await api.call('getCallback', { key: api.keys.a, id })).body.state).toBe('active')
    await press('Us2', '0')
    await bringForward()
    await deliverDue()
    expect(counts(received)).toEqual([counted({ yes: 2 })])
  })

  it('receives counts alone once somebody without the right has changed its address', async () => {
    const first = await registerReceiver(api, individual, answered)
    const second = await openReceiver()
    const edit = { id: first.id, body: { url: second.url } }
    for (const as of [{ key: api.keys.a }, { session: api.sessions.editor }]) {
      await api.call('editCallback', { ...as, ...edit })
      await press('Us1', as.key ? '0' : '1')
      await bringForward()
      await deliverDue()
    }
    expect(counts(second.received)).toEqual([counted({ yes: 1 }), counted({ '1.2': 1 })])
    expect(first.received).toEqual([])
    await api.call('editCallback', { key: individual, ...edit })
    await press('Us1', '0')
    await deliverDue()
    expect(bodies(second.received).at(-1).type).toBe('message.answered')
  })

  it('receives nothing about a person who was erased meanwhile', async () => {
    const { received } = await registerReceiver(api, individual, answered)
    await press('Us3', '0')
    await api.call('eraseSubject', { key: api.keys.administrative, id: 's3' })
    await deliverDue()
    expect(received).toEqual([])
    const left = api.database.db.selectFrom('callback_delivery').select('id')
    expect(await left.execute()).toEqual([])
  })
})

describe('any other callback', () => {
  it('receives the counts, a minute after the first answer that they contain', async () => {
    const { received, id } = await registerReceiver(api, api.keys.a, ['message.answer_counts'])
    await press('Us1', '0')
    await press('Us2', '0')
    await deliverDue()
    expect(received).toEqual([])
    const [waiting, ...others] = (await api.call('listCallbackDeliveries', { key: api.keys.a, id })).body
      .items
    expect(others).toEqual([])
    expect(Date.parse(waiting.nextTryAt) - Date.parse(waiting.at)).toBe(60_000)
    await api.call('editCallback', { key: api.keys.a, id, body: { enabled: true } })
    await deliverDue()
    expect(received).toEqual([])
    await bringForward()
    await deliverDue()
    await press('Us2', '1')
    await bringForward()
    await deliverDue()
    expect(counts(received)).toEqual([counted({ yes: 2 }), counted({ yes: 1, '1.2': 1 })])
  })

  it('receives the same counts in every try, and later answers in the next ones', async () => {
    const { received, answer } = await registerReceiver(api, api.keys.a, ['message.answer_counts'])
    answer({ status: 500 })
    await press('Us1', '0')
    await bringForward()
    await deliverDue()
    await press('Us2', '0')
    await bringForward()
    await deliverDue()
    expect(counts(received)).toEqual([counted({ yes: 1 }), counted({ yes: 1 }), counted({ yes: 2 })])
    expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id'])
  })

  it('misses no answer that is committed while counts are taken', async () => {
    const { received } = await registerReceiver(api, api.keys.a, ['message.answer_counts'])
    await press('Us1', '0')
    await bringForward()
    const { id: subjectId } = await api.person('s2')
    await api.database.db.transaction().execute(async (trx) => {
      const pressed = { question: '0', n: 0, o: '0', optionId: 'yes', data: yes, channel: 'chat' } as const
      await insertAnswer(trx, { messageId, subjectId, ...pressed, at: null })
      const unitId = api.units.a
      await insertAnswerCallbacks(trx, { unitId, messageId, subjectId, optionId: 'yes', data: yes })
      expect(await take()).toEqual([])
    })
    await deliverDue()
    expect(counts(received)).toEqual([counted({ yes: 2 })])
  })

  it('does not delay changes of the message’s state', async () => {
    const { received } = await registerReceiver(api, api.keys.a, [
      'message.answer_counts',
      'message.state_changed',
    ])
    await press('Us1', '0')
    const types = ['message.state_changed'] as const
    const change = {
      types,
      unitId: api.units.a,
      messageId,
      state: 'sent',
      from: 'sending',
      version: 9,
    } as const
    await api.database.db.transaction().execute((trx) => insertMessageChange(trx, change))
    await deliverDue()
    expect(bodies(received).map(({ type }) => type)).toEqual(['message.state_changed'])
  })
})
