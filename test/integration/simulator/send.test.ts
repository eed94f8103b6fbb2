import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectChat } from '../../../src/channels/chat/client.ts'
import { chatHealth } from '../../../src/channels/chat/health.ts'
import { replyChat, sendChat } from '../../../src/channels/chat/send.ts'
import { alice, bob, hello, simulator, token } from './start.ts'

function client(baseUrl: string, timeoutMs?: number, bearer = token) {
  const connected = connectChat({ baseUrl, token: bearer, ...(timeoutMs && { timeoutMs }) })
  onTestFinished(() => connected.close())
  return connected
}
const call = (to: string[], retryKey = randomUUID()) => ({ to, messages: [hello], retryKey })

describe('sending', () => {
  it('pushes to one and multicasts to more, with the retry key from the first try', async () => {
    const { url, journal } = await simulator()
    const chat = client(url)
    const [one, two] = [call([alice]), call([alice, bob])]
    expect(await sendChat(chat, one)).toEqual({ kind: 'accepted', requestId: expect.any(String) })
    expect(await sendChat(chat, two)).toMatchObject({ kind: 'accepted' })
    expect(await journal()).toMatchObject([
      { endpoint: 'push', to: [alice], retryKey: one.retryKey, messages: [hello] },
      { endpoint: 'multicast', to: [alice, bob], retryKey: two.retryKey },
    ])
  })

  it('replies without a retry key, once', async () => {
    const { url, issueReplyToken } = await simulator()
    const reply = { replyToken: issueReplyToken(alice), messages: [hello] }
    expect(await replyChat(client(url), reply)).toMatchObject({ kind: 'accepted' })
    expect(await replyChat(client(url), reply)).toMatchObject({
      kind: 'refused',
      code: 'invalid_reply_token',
    })
  })

  it('counts a repeated key as accepted, under the request id of the try that went through', async () => {
    const { url } = await simulator()
    const chat = client(url)
    const repeated = call([alice, bob])
    const first = await sendChat(chat, repeated)
    expect(await sendChat(chat, repeated)).toEqual(first)
  })

  it('names the addresses that the provider refuses', async () => {
    const chat = client((await simulator()).url)
    const refused = { kind: 'refused', code: 'invalid_recipient' }
    expect(await sendChat(chat, call([alice, 'nobody', bob]))).toMatchObject({
      ...refused,
      failed: ['nobody'],
    })
    expect(await sendChat(chat, call(['nobody']))).toMatchObject({ ...refused, failed: ['nobody'] })
  })

  it('tells the month that is over from too many calls at once', async () => {
    const { url, fault } = await simulator({ monthlyLimit: 0 })
    await fault({ status: 429, retryAfter: 2, times: 1 })
    expect(await sendChat(client(url), call([alice]))).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 2_000,
    })
    expect(await sendChat(client(url), call([alice]))).toMatchObject({ kind: 'quota' })
  })

  it('says that a wrong token needs a person', async () => {
    const { url } = await simulator()
    expect(await sendChat(client(url, 1_000, 'old'), call([alice]))).toMatchObject({
      kind: 'misconfigured',
      status: 401,
    })
  })

  it('keeps the path of a base URL', async () => {
    const { url } = await simulator()
    expect(await sendChat(client(`${url}/proxy/`), call([alice]))).toMatchObject({
      kind: 'misconfigured',
      status: 404,
    })
  })
})

describe('a provider in trouble', () => {
  it.each(['before-reply', 'mid-reply'] as const)(
    'is unclear when cut %s; the same key then proves it sent',
    async (cut) => {
      const { url, fault, journal } = await simulator()
      const chat = client(url)
      const cutCall = call([alice])
      await fault({ cut, times: 1 })
      expect(await sendChat(chat, cutCall)).toEqual({ kind: 'unavailable', code: 'cut', certain: false })
      expect(await sendChat(chat, cutCall)).toMatchObject({ kind: 'accepted' })
      expect((await journal()).map(({ status }) => status)).toEqual([200, 409])
    },
  )

  it('is unclear when it fails, and its Retry-After is kept', async () => {
    const { url, fault } = await simulator()
    await fault({ status: 503, retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT', times: 1 })
    expect(await sendChat(client(url), call([alice]))).toMatchObject({
      kind: 'unavailable',
      code: 'http_503',
      certain: false,
      retryAfterMs: 0,
    })
  })

  it('is unclear when its answer comes too late', async () => {
    const { url, fault } = await simulator()
    await fault({ delayMs: 600, times: 1 })
    expect(await sendChat(client(url, 200), call([alice]))).toEqual({
      kind: 'unavailable',
      code: 'timeout',
      certain: false,
    })
  })

  it('was certainly not reached where nobody listens', async () => {
    const { url, stop } = await simulator()
    await stop()
    expect(await sendChat(client(url), call([alice]))).toEqual({
      kind: 'unavailable',
      code: 'no_connection',
      certain: true,
    })
  })

  it('is let go in time when it takes connections and says nothing', async () => {
    const before = performance.now()
    const outcome = await sendChat(client(await silentServer(), 300), call([alice]))
    expect(outcome).toEqual({ kind: 'unavailable', code: 'timeout', certain: false })
    expect(performance.now() - before).toBeLessThan(3_000)
  })

  it('was certainly not reached by a call that gave up while it waited for a connection', async () => {
    const chat = client(await silentServer())
    for (let busy = 0; busy < 32; busy += 1) void sendChat(chat, call([alice]))
    expect(await sendChat(chat, call([bob]), AbortSignal.timeout(100))).toEqual({
      kind: 'unavailable',
      code: 'aborted',
      certain: true,
    })
  })

  it('is let go at once when the caller gives up; before the first byte that is certain', async () => {
    const chat = client(await silentServer())
    const given = new AbortController()
    const sent = sendChat(chat, call([alice]), given.signal)
    setTimeout(() => given.abort(), 50)
    expect(await sent).toEqual({ kind: 'unavailable', code: 'aborted', certain: false })
    expect(await sendChat(chat, call([alice]), given.signal)).toMatchObject({
      code: 'aborted',
      certain: true,
    })
  })
})

describe('health', () => {
  it('tells how the account stands', async () => {
    const { url, multicast } = await simulator({ monthlyLimit: 10 })
    await multicast([alice, bob])
    expect(await chatHealth(client(url))).toEqual({ state: 'ok', quota: { limit: 10, used: 2 } })
  })

  it('tells a provider that is down from one that does not know us', async () => {
    const { url, stop } = await simulator()
    expect(await chatHealth(client(url, 1_000, 'old'))).toEqual({ state: 'misconfigured', code: 'http_401' })
    await stop()
    expect(await chatHealth(client(url))).toEqual({ state: 'unavailable', code: 'no_connection' })
  })
})

/** A server that takes connections, reads, and never answers: what a half-open socket looks like from here. */
async function silentServer(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}).resume()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
