import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { bind, newEvent, secondsFromNow, sendEvent, sendEvents } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'
import { spawnProcess } from '../../harness/spawn.ts'

/** What EVENT_SIGNING_SOURCES says, changed by the tests as an operator changes it. */
const sources = new Map<string, ReadonlySet<string>>()
const api = forFile(() => startApi({ services: { signingSources: sources } }))
afterEach(async () => {
  sources.clear()
  await api.database.db.deleteFrom('event_binding').execute()
})

const recorded = () => api.database.db.selectFrom('event_signature').select('digest').execute()

describe('a signing key that is named for a source', () => {
  it('is unknown for every other, to one event and to a batch, and nothing is recorded', async () => {
    sources.set('old', new Set(['library']))
    await bind(api)
    const before = await recorded()
    const key = { keyId: 'old' }
    expect(await sendEvent(api, newEvent(), key)).toMatchObject({ status: 401, code: 'unknown_key' })
    expect(await sendEvents(api, [newEvent()], key)).toMatchObject({ status: 401, code: 'unknown_key' })
    expect(await recorded()).toEqual(before)
    expect((await sendEvent(api, newEvent(), { ...key, source: 'library' })).status).toBe(202)
    expect((await sendEvent(api, newEvent(), { ...key, source: 'lib%72ary' })).status).toBe(202)
    expect((await sendEvent(api, newEvent(), { keyId: 'new' })).body).toMatchObject({ accepted: true })
  })
})

describe('what a key recorded for a source that it may not raise any more', () => {
  const foreign = { keyId: 'old' }
  const genuine = { keyId: 'new' }
  const restrict = () => sources.set('old', new Set(['library']))

  it('does not make the genuine event a duplicate, whether or not it became a message', async () => {
    const unbound = newEvent()
    expect((await sendEvent(api, unbound, foreign)).body.error).toBe('no_binding')
    await bind(api)
    const event = newEvent()
    const answer = (await sendEvent(api, event, foreign)).body
    restrict()
    for (const one of [unbound, event]) {
      const { body } = await sendEvent(api, one, genuine)
      expect(body).toMatchObject({ accepted: true, duplicate: false, messageId: expect.any(String) })
      expect(body.messageId).not.toBe(answer.messageId)
      expect((await sendEvent(api, one, { timestamp: secondsFromNow(1) })).body).toEqual({
        ...body,
        duplicate: true,
      })
    }
  })

  it('does not let an event pass that is too large', async () => {
    await bind(api)
    const event = newEvent()
    await sendEvent(api, event, foreign)
    restrict()
    const large = { ...event, subjectUids: Array(6_000).fill('x') }
    expect((await sendEvent(api, large, genuine)).code).toBe('too_many_subjects')
  })

  it('becomes no message when the binding is replayed', async () => {
    const event = newEvent()
    await sendEvent(api, event, foreign)
    const id = await bind(api)
    restrict()
    const replay = await api.call('replayEventBinding', { key: api.keys.a, id })
    expect(replay.body).toMatchObject({ messages: 0, errors: { no_binding: 1 } })
    expect((await sendEvent(api, event, genuine)).body).toMatchObject({ accepted: true, duplicate: false })
  })
})

it('the API at its start and carillon doctor warn, in production, of keys that may raise every source', async () => {
  const secret = randomBytes(32).toString('hex')
  const environment = {
    DATABASE_URL: api.database.url,
    EVENT_SIGNING_KEYS: `sis-2026:${secret},sis-2027:${secret}`,
    EVENT_SIGNING_SOURCES: 'sis-2027:sis',
    NODE_ENV: 'production',
  }
  const warning = /EVENT_SIGNING_SOURCES does not name sis-2026: such a key may raise events of every source/
  const doctor = await runCarillon(environment, 'doctor')
  expect(doctor).toMatchObject({ code: 0, err: expect.stringMatching(warning) })
  const server = await spawnProcess('api', ['src/server.ts'], { ...environment, PORT: '0' })
  await server.logged(warning)
  await server.stop()
  expect(doctor.err + server.log()).not.toContain(secret)
})
