import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import { importer } from '../../fixtures/import-file.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { bind, newEvent, secondsFromNow, sendEvent, signatureHeaders } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
const { imported, person } = importer(() => api)

const message = 'must not have a number beyond ±(2^53 − 1): give it as a text'

/** What JSON.parse makes another number of. */
const rounded = [
  '9912345678901235432',
  '9007199254740993',
  '-9007199254740993',
  '9007199254740992',
  '9007199254740993.0',
  '123456789012345678901234567890',
  '1e400',
  '-1E+400',
  '1.5e300',
]

async function patch(raw: string) {
  return api.call('updateSubject', { key: api.keys.administrative, id: 's1', raw })
}

describe('a number that JSON has rounded', () => {
  it.each(rounded)('is refused by its path: %s', async (number) => {
    const { status, body } = await patch(`{"profile": {"attributes": {"years": [1, ${number}]}}}`)
    expect([status, body.error.details]).toMatchObject([
      400,
      { issues: [{ path: 'profile.attributes.years[1]', message, rule: 'inexact_number' }] },
    ])
  })

  it.each(['9007199254740991', '-9007199254740991', '0.1', '1e3', '1.5e-7', '123456789.123456'])(
    'is not one that a double holds: %s',
    async (number) => {
      expect((await patch(`{"profile": {"attributes": {"size": ${number}}}}`)).code).toBe(null)
      const { attributes } = (await person('s1')).profile
      expect(attributes).toMatchObject({ size: Number(number) })
    },
  )

  it('is told as one, and not as a field that is missing or no number', async () => {
    const raw = JSON.stringify({ ...newMessage, pace: { perMinute: 'N' } }).replace('"N"', '9007199254740993')
    const headers = { 'idempotency-key': randomUUID() }
    const { body } = await api.call('createMessage', { key: api.keys.a, raw, headers })
    expect(body.error.details.issues).toMatchObject([{ path: 'pace.perMinute', message }])
  })

  it('is refused however deep it is, without a stack of its own', async () => {
    const raw = `{"profile": ${'['.repeat(9_000)}9007199254740993${']'.repeat(9_000)}}`
    expect((await patch(raw)).body.error.details.issues[0].message).toBe(message)
  })

  const operations = Object.entries<Endpoint>(endpoints)
    .filter(([, { body, unit, auth }]) => body && unit !== 'object' && auth.some((one) => one !== 'adapter'))
    .map(([id]) => id as OperationId)

  it.each(operations.filter((id) => !(endpoints[id] as Endpoint).auth.includes('event')))(
    'passes no door: %s',
    async (id) => {
      const { auth }: Endpoint = endpoints[id]
      const who = auth.includes('producer')
        ? { key: api.keys.administrative }
        : auth.includes('session')
          ? { session: await api.newSession('approver') }
          : {}
      const headers = {
        'idempotency-key': randomUUID(),
        ...(auth.includes('recipient') && { 'x-mock-channel-user': 'Us1' }),
      }
      const { code, body } = await api.call(id, { ...who, headers, raw: '{"x": 9007199254740993}' })
      if (code === 'forbidden' || code === 'not_found') return
      expect([id, body.error.details]).toMatchObject([id, { issues: [{ path: 'x', message }] }])
    },
  )

  it('is recorded as what makes a signed event invalid', async () => {
    await bind(api)
    const raw = JSON.stringify(newEvent({ data: { day: 'N' } })).replace('"N"', '9007199254740993')
    const { status, body } = await api.call('receiveEvent', {
      id: 'sis',
      raw,
      headers: signatureHeaders(raw),
    })
    expect([status, body.error, body.details]).toMatchObject([
      202,
      'invalid_event',
      { issues: [{ path: 'data.day', message }] },
    ])
  })

  it('is a rejected line of an import', async () => {
    const text =
      '{"uid": "e1", "attributes": {"card": 9912345678901235}}\n{"uid": "e2", "attributes": {"card": "9912345678901235"}}'
    expect(await imported(text, 'application/x-ndjson')).toMatchObject({
      written: 1,
      rejectedLines: [{ line: 1, reason: message }],
    })
  })

  it('is told apart for any digits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), async (number) => {
        const safe = number >= Number.MIN_SAFE_INTEGER && number <= Number.MAX_SAFE_INTEGER
        const { status } = await patch(`{"profile": {"attributes": {"any": ${number}}}}`)
        expect(status).toBe(safe ? 200 : 400)
        if (safe) expect((await person('s1')).profile.attributes.any).toBe(Number(number))
      }),
      { numRuns: 50 },
    )
  })
})

describe('the time of an event', () => {
  it.each([
    ['2026-12-31T23:59:59.9999999Z', '2026-12-31T23:59:59.999Z'],
    ['2026-12-31T23:59:59.999999999+08:00', '2026-12-31T15:59:59.999Z'],
    ['2026-12-01T01:00:00.0006', '2026-12-01T01:00:00.000Z'],
    ['2026-12-01T01:00:00.1239', '2026-12-01T01:00:00.123Z'],
  ])('finer than a millisecond is never rounded up: %s', async (occurredAt, told) => {
    await bind(api)
    const event = newEvent({ occurredAt })
    await sendEvent(api, event, { timestamp: secondsFromNow(-1) })
    const query = { eventId: event.eventId }
    const { body } = await api.call('listRecordedEvents', { key: api.keys.a, query })
    expect(body.items[0].occurredAt).toBe(told)
    expect((await sendEvent(api, event)).body).not.toHaveProperty('differs')
  })
})
