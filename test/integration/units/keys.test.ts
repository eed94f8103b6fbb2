import { expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startApi({ ratePerSecond: 5, ratePerMinute: 0 }))

it('a key reads what it may do, and nothing of its secret', async () => {
  const { status, body } = await api.call('getKey', { key: api.keys.restricted })
  expect(status).toBe(200)
  const [, id, secret] = api.keys.restricted.split('_')
  expect(body).toEqual({
    id,
    name: 'test',
    unit: { id: api.units.a, name: 'Admissions', kind: 'ordinary', timeZone: 'Asia/Taipei' },
    categories: ['news'],
    dimensions: ['roles'],
    individualTargeting: false,
    groupWriting: false,
    handoffReply: false,
    createdAt: expect.stringMatching(/Z$/),
    limits: { perSecond: 5, burst: 50, perMinute: null },
  })
  expect(JSON.stringify(body)).not.toContain(secret)
})

it('a key without restrictions has null where another has a list', async () => {
  const { body } = await api.call('getKey', { key: api.keys.administrative })
  expect(body).toMatchObject({ unit: { kind: 'administrative' }, categories: null, dimensions: null })
  expect(body.groupWriting).toBe(true)
})

it('a revoked key learns that it is none, and a person that they have none', async () => {
  expect((await api.call('getKey', { key: api.keys.revoked })).code).toBe('invalid_credential')
  expect((await api.call('getKey', { session: api.sessions.editor })).code).toBe('forbidden')
})
