import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Problem } from '../../../src/domain/message-state.ts'
import { openWorld, type World } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function park(problem: Problem | null): Promise<void> {
  await world.database.db.updateTable('message').set({ problem }).execute()
}

it('sends that stand still are counted by problem in health and metrics, and show that the service is degraded', async () => {
  await world.call('createMessage', {
    key: world.keys.a,
    headers: { 'idempotency-key': 'parked' },
    body: newMessage,
  })
  expect((await world.call('getHealth')).body).toMatchObject({
    status: 'ok',
    parked: { provider: 0, provider_quota: 0, quota: 0 },
  })
  await park('provider_quota')
  expect((await world.call('getHealth')).body).toMatchObject({
    status: 'degraded',
    parked: { provider: 0, provider_quota: 1, quota: 0 },
  })
  const { body } = await world.call('metrics')
  expect(body).toContain('carillon_messages_parked{problem="provider_quota"} 1')
  expect(body).toContain('carillon_messages_parked{problem="quota"} 0')

  await park('quota')
  expect((await world.call('getHealth')).body).toMatchObject({ status: 'ok', parked: { quota: 1 } })
})
