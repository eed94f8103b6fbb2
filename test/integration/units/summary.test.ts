import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type World } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function submitted(): Promise<string> {
  const headers = { 'idempotency-key': Math.random().toString() }
  const body = { ...newMessage, categoryId: 'manual', expiresAt: '2030-01-01T00:00:00Z' }
  const { id } = (await world.call('createMessage', { key: world.keys.a, headers, body })).body
  await world.call('submitMessage', { key: world.keys.a, id })
  return id
}

const summary = async () => (await world.call('getSummary', { session: world.sessions.editor })).body

function update(id: string, set: object) {
  return world.database.db.updateTable('message').set(set).where('id', '=', id).execute()
}

it('counts what waits, what is being sent and what stands still, and nothing else', async () => {
  const nothing = { toApprove: 0, templatesToApprove: 1, sending: 0, parked: 0 }
  expect(await summary()).toEqual(nothing)

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
  await world.database.db.insertInto('wave').values(wave).execute()
  expect(await summary()).toEqual({ ...nothing, toApprove: 1, sending: 3, parked: 1 })

  await world.call('approveTemplate', { session: world.sessions.approver, id: world.templates.draft })
  await world.call('rejectMessage', { session: world.sessions.approver, id: waits, body: { reason: 'no' } })
  expect(await summary()).toEqual({ toApprove: 0, templatesToApprove: 0, sending: 3, parked: 1 })
})

it('is of one unit', async () => {
  const { body } = await world.call('getSummary', { session: world.sessions.otherApprover })
  expect(body).toEqual({ toApprove: 0, templatesToApprove: 0, sending: 0, parked: 0 })
})
