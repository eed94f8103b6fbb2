import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Carillon, CarillonError, type CreateMessage } from '../../../client/src/index.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => vi.useRealTimers())

const body: CreateMessage = { categoryId: 'news', audience: { kind: 'all' }, templateId: 't1' }
const signingKey = { id: 'k', secret: 's' }
const event = { eventId: 'e1', type: 't', occurredAt: '2030-01-01T00:00:00Z', subjectUids: ['s1'], data: {} }

/** What an attempt meets: no answer, or one. */
type Step = 'lost' | (() => Response)
const answer =
  (status: number, body: object, headers: Record<string, string> = {}): Step =>
  () =>
    Response.json(body, { status, headers })
const refusal = (status: number, code: string, details?: object, headers?: Record<string, string>) =>
  answer(status, { error: { code, message: 'No.', details } }, headers)
const ok = answer(200, { state: 'cancelled' })
const busy = refusal(503, 'unavailable', undefined, { 'retry-after': '2' })
const limited = refusal(429, 'rate_limited', undefined, { 'retry-after': '4' })
const movedTo = (state: string) => refusal(409, 'invalid_transition', { state, by: null, at: null })

/** Does some work with a client whose service takes these steps, one for each attempt, the last one for all others. */
async function play(
  steps: Step[],
  work: (carillon: Carillon) => Promise<unknown>,
  limits: { maxRetries?: number; maxWaitMs?: number } = {},
) {
  const attempts: { at: number; headers: Headers }[] = []
  const service: typeof fetch = async (_, init) => {
    attempts.push({ at: Date.now(), headers: new Headers(init?.headers) })
    const step = steps[Math.min(attempts.length, steps.length) - 1]!
    if (step === 'lost') throw new TypeError('fetch failed')
    return step()
  }
  const options = { baseUrl: 'https://hub.example.org', key: 'hub_a_b', fetch: service }
  const carillon = new Carillon({ ...options, ...limits })
  let over = false
  const done = work(carillon)
    .catch((error: unknown) => error)
    .finally(() => {
      over = true
    })
  while (!over) {
    await vi.advanceTimersToNextTimerAsync()
    await setImmediate() // signing takes a turn of the event loop, which a clock that is held does not give
  }
  const result = await done
  const waits = attempts.slice(1).map(({ at }, index) => at - attempts[index]!.at)
  return { result, attempts, waits }
}

describe('a call that may be repeated', () => {
  it.each([
    ['a read', (hub: Carillon) => hub.messages.get('m')],
    ['a list', (hub: Carillon) => hub.messages.list()],
    ['a create with a key', (hub: Carillon) => hub.messages.create(body)],
    ['a start of runs', (hub: Carillon) => hub.scenarios.start('s', { subjectUids: ['s1'] })],
    ['a move', (hub: Carillon) => hub.messages.cancel('m')],
    ['an event', (hub: Carillon) => hub.sendEvent('sis', signingKey, event)],
    ['a consent', (hub: Carillon) => hub.subjects.revokeConsent('s1', 'news')],
  ])('is, after a lost answer and a 503: %s', async (_, call) => {
    const { attempts, result } = await play(['lost', busy, ok], call)
    expect(attempts).toHaveLength(3)
    expect(result).toEqual({ state: 'cancelled' })
  })

  it('waits as long as the service asks, and longer each time', async () => {
    const { waits } = await play([busy, 'lost', 'lost', ok], (hub) => hub.messages.get('m'), {
      maxWaitMs: 9_000,
    })
    for (const [index, least] of [2_000, 1_000, 2_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(least)
      expect(waits[index]).toBeLessThanOrEqual(least * 1.25 + 1)
    }
  })

  it('waits until the date that a gateway writes', async () => {
    const gateway: Step = () => {
      const at = new Date(Date.now() + 9_000).toUTCString()
      return new Response('<html>', { status: 503, headers: { 'retry-after': at } })
    }
    const { waits, result } = await play([gateway, ok], (hub) => hub.messages.get('m'), { maxWaitMs: 12_000 })
    expect(result).toEqual({ state: 'cancelled' })
    expect(waits[0]).toBeGreaterThanOrEqual(8_000)
    expect(waits[0]).toBeLessThanOrEqual(9_000 * 1.25 + 1)
  })

  it('ends after the last retry with what the service said', async () => {
    const { attempts, result } = await play([busy], (hub) => hub.messages.get('m'), { maxRetries: 1 })
    expect(attempts).toHaveLength(2)
    expect(result).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 2 })
  })

  it.each([
    ['forbidden', refusal(403, 'forbidden')],
    ['not_configured', refusal(503, 'not_configured')],
    ['internal', refusal(500, 'internal')],
    ['unavailable', refusal(503, 'unavailable', undefined, { 'retry-after': '61' })],
  ])('ends at once where a repeat does not help: %s', async (code, step) => {
    const { attempts, result } = await play([step], (hub) => hub.messages.get('m'))
    expect(attempts).toHaveLength(1)
    expect(result).toMatchObject({ code })
  })

  it('waits five seconds in all, and leaves the rest to the caller', async () => {
    const patient = await play([limited, limited, ok], (hub) => hub.messages.get('m'))
    expect(patient.attempts).toHaveLength(2)
    expect(patient.result).toMatchObject({ code: 'rate_limited', retryAfter: 4 })
    expect(patient.waits[0]).toBeLessThanOrEqual(5_000)
    const hasty = await play([limited, ok], (hub) => hub.messages.get('m'), { maxWaitMs: 0 })
    expect(hasty.attempts).toHaveLength(1)
  })

  it('keeps its key', async () => {
    const { attempts } = await play(['lost', 'lost', ok], (hub) => hub.messages.create(body))
    const keys = attempts.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
  })

  it('ends when its signal aborts it while it waits', async () => {
    const controller = new AbortController()
    const { signal } = controller
    setTimeout(() => controller.abort(new Error('changed my mind')), 1_000)
    const { attempts, result } = await play([busy, ok], (hub) =>
      hub.request('GET', '/v1/categories', { signal }),
    )
    expect(attempts).toHaveLength(1)
    expect(result).toEqual(new Error('changed my mind'))
  })
})

describe('a call that may not be repeated', () => {
  it.each([
    ['a topic', (hub: Carillon) => hub.topics.create({ name: { 'zh-TW': '社團' } })],
    ['a test message', (hub: Carillon) => hub.messages.testSend('m')],
    ['an erasure', (hub: Carillon) => hub.subjects.erase('s1')],
    ['an edit of a version', (hub: Carillon) => hub.messages.edit('m', body, { ifMatch: 1 })],
    ['any other request', (hub: Carillon) => hub.request('POST', '/v1/admin/units', { body: {} })],
  ])('is not, after a lost answer and a 503: %s', async (_, call) => {
    for (const step of ['lost', busy] as const) {
      const { attempts, result } = await play([step, ok], call)
      expect(attempts).toHaveLength(1)
      expect(result).toBeInstanceOf(CarillonError)
    }
  })

  it('is after 429, before which nothing was done', async () => {
    const { waits, result } = await play([limited, ok], (hub) =>
      hub.topics.create({ name: { 'zh-TW': '社團' } }),
    )
    expect(result).toEqual({ state: 'cancelled' })
    expect(waits[0]).toBeGreaterThanOrEqual(4_000)
  })

  it('is with an Idempotency-Key, however that is written', async () => {
    for (const name of ['idempotency-key', 'Idempotency-Key']) {
      const { attempts } = await play(['lost', ok], (hub) =>
        hub.request('POST', '/v1/schedules', { body: {}, headers: { [name]: 'monday' } }),
      )
      expect(attempts.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['monday', 'monday'])
    }
  })

  it('is where its caller says that it may be', async () => {
    const { attempts } = await play(['lost', ok], (hub) =>
      hub.request('PUT', '/v1/admin/quota', { body: {}, repeatable: true }),
    )
    expect(attempts).toHaveLength(2)
  })
})

describe('a move whose answer was lost', () => {
  it('has been made, if a repeat is refused with the state that it leads to', async () => {
    const moves: [state: string, move: (hub: Carillon) => Promise<unknown>, result: object][] = [
      ['submitted', (hub) => hub.messages.submit('m'), { state: 'submitted' }],
      ['sending', (hub) => hub.messages.approve('m'), { approved: true }],
      ['rejected', (hub) => hub.messages.reject('m', { reason: 'no' }), { state: 'rejected' }],
      ['paused', (hub) => hub.messages.pause('m'), { state: 'paused' }],
      ['closed', (hub) => hub.handoffs.close('h'), { id: 'h', state: 'closed' }],
      ['cancelled', (hub) => hub.runs.cancel('r'), { id: 'r', state: 'cancelled' }],
    ]
    for (const [state, move, result] of moves)
      expect((await play(['lost', movedTo(state)], move)).result).toEqual(result)
  })

  it('returns the object, where the move does', async () => {
    const template = answer(200, { id: 't', state: 'approved' })
    const { result } = await play(['lost', movedTo('approved'), template], (hub) =>
      hub.templates.approve('t'),
    )
    expect(result).toEqual({ id: 't', state: 'approved' })
  })

  it('has not, if the state is another one, or nothing was lost', async () => {
    const cancel = (hub: Carillon) => hub.messages.cancel('m')
    for (const steps of [
      ['lost', movedTo('sent')],
      [movedTo('cancelled')],
      [limited, movedTo('cancelled')],
    ] as const)
      expect((await play([...steps], cancel)).result).toMatchObject({ code: 'invalid_transition' })
  })

  it('has deleted what a repeat does not find', async () => {
    const remove = (hub: Carillon) => hub.schedules.delete('s')
    expect((await play(['lost', refusal(404, 'not_found')], remove)).result).toEqual({ deleted: true })
    expect((await play([refusal(404, 'not_found')], remove)).result).toMatchObject({ code: 'not_found' })
  })
})

describe('a header', () => {
  it('replaces that of the library, however its name is written', async () => {
    const { attempts } = await play([ok], (hub) =>
      hub.request('POST', '/v1/imports', { raw: 'uid', headers: { 'Content-Type': 'text/csv' } }),
    )
    expect(attempts[0]!.headers.get('content-type')).toBe('text/csv')
  })

  it('that cannot be sent is the fault of the caller, not of the service, and is not shown', async () => {
    for (const idempotencyKey of ['案件-42', 'case\n42']) {
      const { attempts, result } = await play([ok], (hub) => hub.messages.create(body, { idempotencyKey }))
      expect(attempts).toEqual([])
      expect(result).toMatchObject({
        ...{ code: 'validation_error', status: 0 },
        details: { issues: [{ path: 'idempotency-key' }] },
      })
      expect(inspect(result)).not.toContain(idempotencyKey)
    }
  })
})

it.each(['https://hub.example.org/v1', 'https://hub.example.org/v1/'])(
  'a baseUrl of %s is refused in words',
  (baseUrl) => {
    expect(() => new Carillon({ baseUrl, key: 'hub_a_b' })).toThrow('baseUrl must not end in /v1')
  },
)
