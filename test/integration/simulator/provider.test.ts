import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { alice, bob, simulator } from '../../fixtures/simulator.ts'
import { hello } from '../../fixtures/simulator-calls.ts'

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `U${index.toString(16).padStart(32, '0')}`)

describe('push', () => {
  it('returns the ids of the messages and a request id', async () => {
    const answer = await (await simulator()).push(alice, randomUUID(), [hello, hello])
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-line-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await answer.json()).toEqual({
      sentMessages: [{ id: expect.any(String) }, { id: expect.any(String) }],
    })
  })

  it('rejects a malformed id, another token and a body that is not JSON', async () => {
    const { push, post } = await simulator()
    const bad = await push('Unknown')
    expect(bad.status).toBe(400)
    expect(await bad.json()).toEqual({
      message: "The property, 'to', in the request body is invalid (line: -, column: -)",
    })
    const path = '/v2/bot/message/push'
    expect((await post(path, { to: alice, messages: [hello] }, { authorization: 'Bearer x' })).status).toBe(
      401,
    )
    expect((await post(path, '{"to":')).status).toBe(400)
    expect((await post(path, `"${'x'.repeat(2 * 1024 * 1024)}"`)).status).toBe(413)
  })

  it('names what is wrong with a message', async () => {
    const answer = await (await simulator()).push(alice, undefined, [hello, { type: 'text', text: '' }])
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      message: 'The request body has 1 error(s)',
      details: [{ message: 'May not be empty', property: 'messages[1].text' }],
    })
  })
})

describe('multicast', () => {
  it('reaches up to 500 people, all or none', async () => {
    const { multicast, journal } = await simulator()
    const answer = await multicast(people(500))
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    expect((await multicast(people(501))).status).toBe(400)
    expect((await multicast([])).status).toBe(400)
    const bad = await multicast([alice, 'nobody', bob, 'C'.padEnd(33, '0')])
    expect(bad.status).toBe(400)
    expect(await bad.json()).toMatchObject({ details: [{ property: 'to[1]' }, { property: 'to[3]' }] })
    expect((await journal()).map(({ status, to }) => [status, to.length])).toEqual([
      [200, 500],
      [400, 501],
      [400, 0],
      [400, 4],
    ])
  })
})

describe('a retry key', () => {
  it('is accepted once; repeated, it names the call that was accepted', async () => {
    const { push, journal } = await simulator()
    const key = randomUUID()
    const first = await push(alice, key)
    const again = await push(alice, key)
    expect(again.status).toBe(409)
    expect(again.headers.get('x-line-accepted-request-id')).toBe(first.headers.get('x-line-request-id'))
    const { sentMessages } = (await first.json()) as { sentMessages: unknown[] }
    expect(await again.json()).toEqual({ message: 'The retry key is already accepted', sentMessages })
    expect((await journal()).map(({ status, retryKey }) => [status, retryKey])).toEqual([
      [200, key],
      [409, key],
    ])
  })

  it('is not consumed by a rejected call', async () => {
    const { push } = await simulator()
    const key = randomUUID()
    expect((await push('nobody', key)).status).toBe(400)
    expect((await push(alice, key)).status).toBe(200)
  })

  it('is forgotten after 24 hours: the same key sends again', async () => {
    const { push } = await simulator()
    const key = randomUUID()
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      expect((await push(alice, key)).status).toBe(200)
      vi.setSystemTime(Date.now() + 24 * 60 * 60 * 1_000 - 1_000)
      expect((await push(alice, key)).status).toBe(409)
      vi.setSystemTime(Date.now() + 2_000)
      expect((await push(alice, key)).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  it('must be a UUID', async () => {
    expect((await (await simulator()).push(alice, 'again')).status).toBe(400)
  })
})

describe('reply', () => {
  it('accepts a token once, and no retry key', async () => {
    const { reply, issueReplyToken, journal } = await simulator()
    const replyToken = issueReplyToken(alice)
    expect((await reply(replyToken, { 'x-line-retry-key': randomUUID() })).status).toBe(400)
    expect((await reply(replyToken)).status).toBe(200)
    const again = await reply(replyToken)
    expect([again.status, await again.json()]).toEqual([400, { message: 'Invalid reply token' }])
    expect((await journal())[1]).toMatchObject({ endpoint: 'reply', to: [alice], replyToken, status: 200 })
  })
})

describe('the account', () => {
  it('counts recipients of push and multicast, not replies, and ends at its monthly limit', async () => {
    const { push, multicast, reply, issueReplyToken, get } = await simulator({ monthlyLimit: 3 })
    await multicast([alice, bob])
    await reply(issueReplyToken(alice))
    expect(await (await get('/v2/bot/message/quota')).json()).toEqual({ type: 'limited', value: 3 })
    expect(await (await get('/v2/bot/message/quota/consumption')).json()).toEqual({ totalUsage: 2 })
    const over = await multicast([alice, bob])
    expect([over.status, await over.json()]).toEqual([
      429,
      { message: 'You have reached your monthly limit.' },
    ])
    expect((await push(alice)).status).toBe(200)
  })

  it('has no limit unless it is given one', async () => {
    expect(await (await (await simulator()).get('/v2/bot/message/quota')).json()).toEqual({ type: 'none' })
  })

  it('returns the account and the profiles', async () => {
    const { get } = await simulator()
    expect(await (await get('/v2/bot/info')).json()).toMatchObject({
      userId: expect.stringMatching(/^U[0-9a-f]{32}$/),
    })
    expect(await (await get(`/v2/bot/profile/${alice}`)).json()).toMatchObject({ userId: alice })
    expect((await get('/v2/bot/profile/nobody')).status).toBe(404)
  })

  it('checks messages without sending them', async () => {
    const { post, journal } = await simulator()
    const validate = (messages: unknown) => post('/v2/bot/message/validate/push', { messages })
    expect((await validate([hello])).status).toBe(200)
    expect((await validate([hello, hello, hello, hello, hello, hello])).status).toBe(400)
    expect(await journal()).toEqual([])
  })
})
