import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WebhookEvent } from '../../../dev/simulator/webhook-event.ts'
import { alice, bob, simulator } from '../../fixtures/simulator.ts'
import { eventually } from '../../harness/eventually.ts'

const secret = 'channel secret'

/** A webhook that records events, and responds with these statuses, then 200. */
async function receiver(...statuses: number[]) {
  const posted: { destination: string; events: WebhookEvent[] }[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const right = createHmac('sha256', secret).update(body).digest('base64')
    expect(request.headers['x-line-signature']).toBe(right)
    posted.push(JSON.parse(body.toString()))
    response.writeHead(statuses.shift() ?? 200).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { posted, webhook: { url: `http://127.0.0.1:${port}/`, secret } }
}

const phone = async (url: string, id: string) =>
  (await (await fetch(`${url}/phones/${id}`)).json()) as { markup: string; blocked: boolean }

describe('an action on a phone', () => {
  it('is posted to the webhook as the provider would, signed', async () => {
    const { posted, webhook } = await receiver()
    const { does } = await simulator({ webhook })
    for (const act of [
      { kind: 'follow' },
      { kind: 'tap', data: '{"v":1}', displayText: 'Yes' },
      { kind: 'say', text: 'Hello?' },
      { kind: 'block' },
    ])
      expect((await does(alice, act)).status).toBe(200)
    const events = posted.flatMap((one) => one.events)
    expect(events).toMatchObject([
      { type: 'follow', follow: { isUnblocked: false } },
      { type: 'postback', postback: { data: '{"v":1}' } },
      { type: 'message', message: { type: 'text', text: 'Hello?' } },
      { type: 'unfollow' },
    ])
    for (const event of events)
      expect(event).toMatchObject({
        source: { type: 'user', userId: alice },
        mode: 'active',
        webhookEventId: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        deliveryContext: { isRedelivery: false },
      })
    expect(posted[0]!.destination).toMatch(/^U[0-9a-f]{32}$/)
  })

  it('can be replied to with the token that comes with it', async () => {
    const { webhook } = await receiver()
    const { does, reply } = await simulator({ webhook })
    const { event } = await does(alice, { kind: 'say', text: 'Hello?' })
    expect((await reply(String(event.replyToken))).status).toBe(200)
    expect((await does(alice, { kind: 'block' })).event).not.toHaveProperty('replyToken')
  })

  it('is redelivered, and marked so, if the webhook did not accept it', async () => {
    const { posted, webhook } = await receiver(503)
    const { does } = await simulator({ webhook })
    const { event, status } = await does(alice, { kind: 'follow' })
    expect(status).toBe(503)
    await eventually(() => expect(posted).toHaveLength(2))
    expect(posted[1]!.events).toEqual([{ ...event, deliveryContext: { isRedelivery: true } }])
  })

  it('is shown on the phone, in order with the messages, also after a restart', async () => {
    const first = await simulator()
    await first.push(alice, undefined, [{ type: 'text', text: 'Coming?' }])
    await first.does(alice, { kind: 'tap', data: '{"v":1}', displayText: 'I am coming' })
    await first.does(bob, { kind: 'say', text: 'from Bob' })
    await first.stop()
    const { url } = await simulator({ dir: first.dir })
    const { markup } = await phone(url, alice)
    expect(markup).toMatch(/Coming\?[\s\S]*I am coming/)
    expect(markup).not.toContain('from Bob')
  })

  it('of blocking the account ends what they receive, until they follow again', async () => {
    const { does, push, url } = await simulator()
    await does(alice, { kind: 'block' })
    expect((await push(alice, undefined, [{ type: 'text', text: 'unseen' }])).status).toBe(200)
    expect(await phone(url, alice)).toMatchObject({ blocked: true })
    expect((await does(alice, { kind: 'follow' })).event).toMatchObject({ follow: { isUnblocked: true } })
    await push(alice, undefined, [{ type: 'text', text: 'seen' }])
    const { markup, blocked } = await phone(url, alice)
    expect(blocked).toBe(false)
    expect(markup).toContain('>seen<')
    expect(markup).not.toContain('unseen')
  })

  it('must be something that a phone can do', async () => {
    const { post } = await simulator()
    for (const wrong of [{}, { kind: 'dance' }, { kind: 'say', text: '' }, { kind: 'tap' }])
      expect((await post(`/phones/${alice}/actions`, wrong)).status).toBe(400)
    expect((await post('/phones/nobody/actions', { kind: 'follow' })).status).toBe(400)
  })
})
