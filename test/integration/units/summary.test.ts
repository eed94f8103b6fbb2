import { expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { bind } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

async function submitted(): Promise<string> {
  const headers = { 'idempotency-key': Math.random().toString() }
  const body = { ...newMessage, categoryId: 'manual', expiresAt: '2030-01-01T00:00:00Z' }
  const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
  await api.call('submitMessage', { key: api.keys.a, id })
  return id
}

const summary = async () => (await api.call('getSummary', { session: api.sessions.editor })).body

function update(id: string, set: object) {
  return api.database.db.updateTable('message').set(set).where('id', '=', id).execute()
}

it('counts what waits, is being sent and is parked, and nothing else', async () => {
  const nothing = {
    toApprove: 0,
    templatesToApprove: 1,
    bindingsToApprove: 0,
    scenariosToApprove: 0,
    sending: 0,
    parked: 0,
  }
  expect(await summary()).toEqual(nothing)
  const binding = await bind(api, { audience: { kind: 'query', roles: ['student'] } })
  expect(await summary()).toEqual({ ...nothing, bindingsToApprove: 1 })
  await api.call('approveEventBinding', { session: api.sessions.approver, id: binding })
  const scenario = newScenario({ categoryId: 'manual' })
  const { id } = (await api.call('createScenario', { key: api.keys.a, body: scenario })).body
  expect(await summary()).toEqual(nothing)
  await api.call('putScenario', { key: api.keys.a, id, body: { state: 'active' } })
  expect(await summary()).toEqual({ ...nothing, scenariosToApprove: 1 })
  await api.call('approveScenario', { session: api.sessions.approver, id, body: { version: 1 } })

  const [waits, sends, parked, reminds, over] = [
    await submitted(),
    await submitted(),
    await submitted(),
    await submitted(),
    await submitted(),
  ]
  expect(await summary()).toEqual({ ...nothing, toApprove: 5 })
  await update(sends, { state: 'sending' })
  await update(parked, { state: 'sending', problem: 'quota' })
  await update(reminds, { state: 'sent' })
  await update(over, { state: 'rejected', closed_at: new Date() })
  expect(await summary()).toEqual({ ...nothing, toApprove: 1, sending: 2, parked: 1 })

  const wave = { message_id: reminds, number: 1, month: '2026-11-01', state: 'sending' } as const
  await api.database.db.insertInto('wave').values(wave).execute()
  expect(await summary()).toEqual({ ...nothing, toApprove: 1, sending: 3, parked: 1 })

  await api.call('approveTemplate', { session: api.sessions.approver, id: api.templates.draft })
  await api.call('rejectMessage', { session: api.sessions.approver, id: waits, body: { reason: 'no' } })
  expect(await summary()).toEqual({
    toApprove: 0,
    templatesToApprove: 0,
    bindingsToApprove: 0,
    scenariosToApprove: 0,
    sending: 3,
    parked: 1,
  })
})

it('is of one unit', async () => {
  const { body } = await api.call('getSummary', { session: api.sessions.otherApprover })
  expect(body).toEqual({
    toApprove: 0,
    templatesToApprove: 0,
    bindingsToApprove: 0,
    scenariosToApprove: 0,
    sending: 0,
    parked: 0,
  })
})
