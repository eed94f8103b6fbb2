import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const text = (zh: string, en?: string) => ({ kind: 'text', text: { 'zh-TW': zh, ...(en && { en }) } })

/** One message that cannot be shown would break its unit's whole list. */
describe('an accepted message can be read, and so can the list that contains it', () => {
  it.each([
    ['white space for a text', { messages: [text('  \n')] }],
    ['white space in one language', { messages: [text('開放日', ' ')] }],
    [
      'a card with white space for a title',
      { messages: [{ kind: 'card', title: text(' ').text, actions: [] }] },
    ],
    ['the last moment there is', { expiresAt: '9999-12-31T23:59:59Z' }],
    ['the first one', { scheduleAt: '0001-01-01T00:00:00.123456789Z' }],
    ['nothing but a sticker', { messages: [{ kind: 'sticker', packageId: '1', stickerId: '2' }] }],
  ])('with %s', async (_, parts) => {
    const key = api.keys.a
    const headers = { 'idempotency-key': randomUUID() }
    const made = await api.call('createMessage', { key, headers, body: { ...newMessage, ...parts } })
    expect(made.status).toBe(201)
    expect((await api.call('getMessage', { key, id: made.body.id })).status).toBe(200)
    const { items } = (await api.call('listMessages', { key, query: { limit: '1' } })).body
    expect(items[0].id).toBe(made.body.id)
  })
})

describe('an instant that cannot be shown, or stored, is rejected', () => {
  it.each([
    ['beyond the year 9999', '9999-12-31T23:59:59-14:00'],
    ['before the year 1', '0001-01-01T00:00:00+14:00'],
    ['in a year that there was not', '0000-12-31T23:59:59-14:00'],
    ['of endless decimals', `2026-12-01T00:00:00.${'1'.repeat(200)}Z`],
  ])('%s', async (_, scheduleAt) => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { ...newMessage, scheduleAt }
    const answer = await api.call('createMessage', { key: api.keys.a, headers, body })
    expect(answer.code).toBe('validation_error')
    expect(answer.body.error.details.issues).toEqual([{ path: 'scheduleAt', message: expect.any(String) }])
  })
})
