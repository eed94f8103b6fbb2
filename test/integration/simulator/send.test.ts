import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectChat } from '../../../src/channels/chat/client.ts'
import { chatHealth } from '../../../src/channels/chat/health.ts'
import { replyChat, sendChat } from '../../../src/channels/chat/send.ts'
import { cleared } from '../../fixtures/cleared.ts'
import { alice, bob, simulator } from '../../fixtures/simulator.ts'
import { hello, token } from '../../fixtures/simulator-calls.ts'

function client(baseUrl: string, timeoutMs?: number, bearer = token) {
  const connected = connectChat({ baseUrl, token: bearer, ...(timeoutMs && { timeoutMs }) })
  onTestFinished(() => connected.close())
  return connected
}
const call = (to: string[], retryKey = randomUUID()) => ({ to, content: cleared([hello]), retryKey })

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
    const reply = { replyToken: issueReplyToken(alice), content: cleared([hello]) }
    expect(await replyChat(client(url), reply)).toMatchObject({ kind: 'accepted' })
    expect(await replyChat(client(url), reply)).toMatchObject({
      kind: 'refused',
      code: 'invalid_reply_token',
    })
  })

  it('counts a repeated key as accepted, under the request id of the accepted try', async () => {
    const { url } = await simulator()
    const chat = client(url)
    const repeated = call([alice, bob])
    const first = await sendChat(chat, repeated)
    expect(await sendChat(chat, repeated)).toEqual(first)
  })

  it('names the addresses that the provider rejects', async () => {
    const chat = client((await simulator()).url)
    const refused = { kind: 'refused', code: 'invalid_recipient' }
    expect(await sendChat(chat, call([alice, 'nobody', bob]))).toMatchObject({
      ...refused,
      failed: ['nobody'],
    })
    expect(await sendChat(chat, call(['nobody']))).toMatchObject({ ...refused, failed: ['nobody'] })
  })

  it('distinguishes an exhausted month from too many calls at once', async () => {
    const { url, fault } = await simulator({ monthlyLimit: 0 })
    await fault({ status: 429, retryAfter: 2, times: 1 })
    expect(await sendChat(client(url), call([alice]))).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 2_000,
    })
    expect(await sendChat(client(url), call([alice]))).toMatchObject({ kind: 'quota' })
  })

  it('reports that a wrong token needs a person', async () => {
    const { url } = await simulator()
    expect(await sendChat(client(url, 1_000, 'old'), call([alice]))).toMatchObject({
      kind: 'misconfigured',
      code: 'http_401',
    })
  })

  it('keeps the path of a base URL', async () => {
    const { url } = await simulator()
    expect(await sendChat(client(`${url}/proxy/`), call([alice]))).toMatchObject({
      kind: 'misconfigured',
      code: 'http_404',
    })
  })
})

describe('a failing provider', () => {
  it.each(['before-reply', 'mid-reply'] as const)(
    'is uncertain when cut %s; the same key then proves that it was sent',
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

  it('is uncertain when it fails, and its Retry-After is kept', async () => {
    const { url, fault } = await simulator()
    await fault({ status: 503, retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT', times: 1 })
    expect(await sendChat(client(url), call([alice]))).toMatchObject({
      kind: 'unavailable',
      code: 'http_503',
      certain: false,
      retryAfterMs: 0,
    })
  })

  it('times out with an uncertain outcome, even if it responds afterwards', async () => {
    const { url, asked: request, answer } = await silentServer()
    const letTimePass = ownTimers()
    const sent = sendChat(client(url, 10_000), call([alice]))
    await request
    letTimePass(10_000)
    expect(await sent).toEqual({ kind: 'unavailable', code: 'timeout', certain: false })
    await answer()
  })

  it('was certainly not reached if no server listens', async () => {
    const { url, stop } = await simulator()
    await stop()
    expect(await sendChat(client(url), call([alice]))).toEqual({
      kind: 'unavailable',
      code: 'no_connection',
      certain: true,
      general: true,
    })
  })

  it('was certainly not reached by a call cancelled while it waited for a connection', async () => {
    const chat = client((await silentServer()).url)
    for (let busy = 0; busy < 32; busy += 1) void sendChat(chat, call([alice]))
    expect(await sendChat(chat, call([bob]), AbortSignal.timeout(100))).toEqual({
      kind: 'unavailable',
      code: 'aborted',
      certain: true,
    })
  })

  it('is cancelled at once with the caller; before the first byte the outcome is certain', async () => {
    const { url, asked: request } = await silentServer()
    const chat = client(url)
    const caller = new AbortController()
    const sent = sendChat(chat, call([alice]), caller.signal)
    await request
    caller.abort()
    expect(await sent).toEqual({ kind: 'unavailable', code: 'aborted', certain: false })
    expect(await sendChat(chat, call([alice]), caller.signal)).toMatchObject({
      code: 'aborted',
      certain: true,
    })
  })
})

describe('health', () => {
  it('returns the account’s quota', async () => {
    const { url, multicast } = await simulator({ monthlyLimit: 10 })
    await multicast([alice, bob])
    expect(await chatHealth(client(url))).toEqual({ state: 'ok', quota: { limit: 10, used: 2 } })
  })

  it('distinguishes a provider that is down from one that rejects the token', async () => {
    const { url, stop } = await simulator()
    expect(await chatHealth(client(url, 1_000, 'old'))).toEqual({ state: 'misconfigured', code: 'http_401' })
    await stop()
    expect(await chatHealth(client(url))).toEqual({ state: 'unavailable', code: 'no_connection' })
  })
})

/** Replaces timers by the test's clock; returns how to advance it (ms). */
function ownTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms) => void vi.advanceTimersByTime(ms)
}

/**
 * A server that accepts connections, reads, and does not respond, like a half-open socket. `asked` resolves at the
 * first bytes; `answer` makes it respond after all.
 */
async function silentServer() {
  const sockets = new Set<Socket>()
  const request = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.on('data', () => request.resolve())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const answer = async () => {
    for (const socket of sockets)
      await new Promise((resolve) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}', resolve))
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked: request.promise, answer }
}
