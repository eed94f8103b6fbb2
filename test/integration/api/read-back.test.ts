import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newMessage } from './new-message.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const text = (zh: string, en?: string) => ({ kind: 'text', text: { 'zh-TW': zh, ...(en && { en }) } })

/** One message that cannot be shown would take its unit's whole list with it. */
describe('a message that was taken can be read, and so can the list it stands in', () => {
  it.each([
    ['white space for a text', { messages: [text('  \n')] }],
    ['white space in one language', { messages: [text('開放日', ' ')] }],
    [
      'a card with white space for a title',
      { messages: [{ kind: 'card', title: text(' ').text, actions: [] }] },
    ],
    ['nothing but a sticker', { messages: [{ kind: 'sticker', packageId: '1', stickerId: '2' }] }],
  ])('with %s', async (_, parts) => {
    const key = world.keys.a
    const headers = { 'idempotency-key': randomUUID() }
    const made = await world.call('createMessage', { key, headers, body: { ...newMessage, ...parts } })
    expect(made.status).toBe(201)
    expect((await world.call('getMessage', { key, id: made.body.id })).status).toBe(200)
    const { items } = (await world.call('listMessages', { key, query: { limit: '1' } })).body
    expect(items[0].id).toBe(made.body.id)
  })
})
