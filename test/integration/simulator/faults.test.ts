import { describe, expect, it } from 'vitest'
import { alice, bob, simulator } from '../../fixtures/simulator.ts'
import { eventually } from '../../harness/eventually.ts'

describe('a fault', () => {
  it('rejects as many calls as configured, and is in the journal', async () => {
    const { fault, push, journal } = await simulator()
    await fault({ status: 503, retryAfter: 7, times: 2 })
    const refused = await push(alice)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7'])
    expect((await push(alice)).status).toBe(503)
    expect((await push(alice)).status).toBe(200)
    expect((await journal()).map(({ status }) => status)).toEqual([503, 503, 200])
  })

  it('hits one endpoint only, where it names one', async () => {
    const { fault, push, multicast } = await simulator()
    await fault({ endpoint: 'multicast', status: 500, times: 1 })
    expect((await push(alice)).status).toBe(200)
    expect((await multicast([alice, bob])).status).toBe(500)
  })

  it('hits only calls to one recipient, where it names one', async () => {
    const { fault, multicast } = await simulator()
    await fault({ to: bob, status: 400, times: 5 })
    expect((await multicast([alice])).status).toBe(200)
    expect((await multicast([alice, bob])).status).toBe(400)
  })

  it('uses the configured text, or the usual one', async () => {
    const { fault, push } = await simulator()
    await fault({ status: 429, body: { message: 'You have reached your monthly limit.' }, times: 1 })
    await fault({ status: 429, times: 1 })
    await fault({ status: 502, body: '<html>', times: 1 })
    expect(await (await push(alice)).json()).toEqual({ message: 'You have reached your monthly limit.' })
    expect(await (await push(alice)).json()).toEqual({
      message: 'The API rate limit has been exceeded. Try again later.',
    })
    expect(await (await push(alice)).text()).toBe('<html>')
  })

  it.each(['before-reply', 'mid-reply'] as const)('cuts %s a call that was accepted', async (cut) => {
    const { fault, push, journal } = await simulator()
    await fault({ cut, times: 1 })
    await expect(push(alice).then((answer) => answer.text())).rejects.toThrow()
    expect(await journal()).toMatchObject([{ status: 200, to: [alice] }])
  })

  it('cuts without accepting where it has a status too', async () => {
    const { fault, push, journal } = await simulator()
    await fault({ cut: 'before-reply', status: 500, times: 1 })
    await expect(push(alice)).rejects.toThrow()
    expect(await journal()).toMatchObject([{ status: 500 }])
  })

  it('delays a response, whichever other fault is queued', async () => {
    const { fault, push } = await simulator()
    await fault({ delayMs: 500, times: 100 })
    await fault({ status: 500, times: 1 })
    const begun = performance.now()
    expect((await push(alice)).status).toBe(500)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(499)
  })

  it('delays no response any longer than until it is cleared', async () => {
    const { fault, push, journal, url } = await simulator()
    await fault({ delayMs: 3_600_000, times: 2 })
    const held = [push(alice), push(bob)]
    await eventually(async () => expect(await journal()).toHaveLength(2))
    await fetch(`${url}/faults`, { method: 'DELETE' })
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('is listed with its remaining times, and cleared', async () => {
    const { fault, push, url } = await simulator()
    const callFaults = async (method: string) => (await fetch(`${url}/faults`, { method })).json()
    await fault({ status: 500, times: 3 })
    await push(alice)
    expect(await callFaults('GET')).toEqual({ items: [{ status: 500, times: 2 }] })
    expect(await callFaults('DELETE')).toEqual({ items: [] })
    expect((await push(alice)).status).toBe(200)
  })

  it('is rejected if it is invalid', async () => {
    const { fault } = await simulator()
    expect((await fault({ status: 500, endpoint: 'fax' })).status).toBe(400)
    expect((await fault({ sttaus: 500 })).status).toBe(400)
  })
})
