import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { receiveAssistantWebhook, receiveWebhook } from '../../../src/services/webhooks/receive.ts'
import { startApi } from '../../fixtures/api.ts'
import { placesOf } from '../../fixtures/erasure.ts'
import { avatarEvent, chatAddress } from '../../fixtures/handoffs.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
beforeAll(() => {
  api.services.avatarUnit = api.units.a
})

const directory = (id: string) => ({ key: api.keys.administrative, id })
const bind = (uid: string, address: string) =>
  api.call('bindAddress', { ...directory(uid), body: { address } })
const unbind = (uid: string) => api.call('unbindAddress', directory(uid))
const erase = (uid: string) => api.call('eraseSubject', directory(uid))

/** What somebody types at an address in the chat, and says to the assistant, which hands it over. */
async function write(address: string, words: string): Promise<void> {
  const { services } = api
  const event = {
    ...{ type: 'message', webhookEventId: randomUUID(), timestamp: Date.now(), mode: 'active' },
    ...{
      source: { type: 'user', userId: address },
      message: { type: 'text', id: randomUUID(), text: words },
    },
  }
  await receiveWebhook(services, 'chat', { events: [event] } as never, new Date())
  await receiveAssistantWebhook(services, avatarEvent({ channelUser: address, text: words }), new Date())
  while (await processNextWebhookEvent(services));
}

const names = () => {
  const token = randomUUID().replaceAll('-', '')
  return { address: chatAddress(), words: `words ${token}`, uid: `had-${token}` }
}
const places = (text: string) => placesOf(api.database.db, text)

describe('what a stranger wrote at an address', () => {
  it.each([
    ['before somebody bound it', ['write', 'bind', 'unbind']],
    ['after they unbound it', ['bind', 'unbind', 'write']],
    ['before they bound another in its place', ['write', 'bind', 'rebind']],
  ])('%s is erased with them', async (_, steps) => {
    const { address, words, uid } = names()
    const acts: Record<string, () => Promise<unknown>> = {
      write: () => write(address, words),
      bind: () => bind(uid, address),
      unbind: () => unbind(uid),
      rebind: () => bind(uid, chatAddress()),
    }
    for (const step of steps) await acts[step]!()
    expect(await places(words)).toEqual(expect.arrayContaining(['handoff_message', 'webhook_event']))
    expect((await erase(uid)).status).toBe(200)
    expect(await places(words)).toEqual([])
    expect(await places(address)).toEqual([])
  })

  it('stays with who has the address now, and is erased with them', async () => {
    const { address, words, uid } = names()
    const next = `${uid}-next`
    await bind(uid, address)
    await unbind(uid)
    await write(address, words)
    await bind(next, address)
    await erase(uid)
    expect(await places(words)).toEqual(['handoff_message', 'webhook_event'])
    await erase(next)
    expect(await places(words)).toEqual([])
  })

  it('and at no address of theirs stays', async () => {
    const [one, other] = [names(), names()]
    await bind(one.uid, one.address)
    await unbind(one.uid)
    await write(other.address, other.words)
    await erase(one.uid)
    expect(await places(other.words)).toEqual(['handoff_message', 'webhook_event'])
  })
})

it('an address that is unbound leaves its hash alone, which goes with the person', async () => {
  const { address, uid } = names()
  await bind(uid, address)
  await unbind(uid)
  expect(await places(address)).toEqual([])
  const held = () => api.database.db.selectFrom('former_address').selectAll().execute()
  const before = await held()
  await erase(uid)
  expect(await held()).toHaveLength(before.length - 1)
})
