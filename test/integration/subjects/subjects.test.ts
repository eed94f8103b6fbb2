import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import { auditRows, selectRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

/** As the administrative unit does. */
const ask = (operation: OperationId, id: string, body?: unknown, query?: Record<string, string>) =>
  api.call(operation, {
    key: api.keys.administrative,
    id,
    ...(body !== undefined && { body }),
    ...(query && { query }),
  })
const bind = (uid: string, address = `U${uid}`, more = {}) => ask('bindAddress', uid, { address, ...more })
const get = async (uid: string) => (await ask('getSubject', uid)).body
const all = <T>(n: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)))

function auditOf(subjectId: string) {
  return auditRows(api.database.db, subjectId, 'action', 'details', 'unit_id')
}

it('reading a person is audited, with the key that did; reading the two ids alone is not', async () => {
  const { subjectId } = (await bind('r1')).body
  await api.call('getSubject', { key: api.keys.a, id: 'r1' })
  await get('r1')
  await ask('listSubjectDeliveries', 'r1')
  await ask('listSubjectTurns', 'r1')
  const read = (await auditOf(subjectId)).filter(({ action }) => action === 'read')
  expect(read.map(({ details }) => details)).toEqual([
    { what: 'subject' },
    { what: 'deliveries' },
    { what: 'turns' },
  ])
  expect(new Set(read.map(({ unit_id }) => unit_id))).toEqual(new Set([expect.any(String)]))
})

describe('an address', () => {
  it('that is bound makes a visitor of an unknown uid, and again changes nothing', async () => {
    const acquisition = { source: 'chat_embed', ref: 'open-day' }
    const { subjectId } = (await bind('b1', 'Ub1', { acquisition })).body
    expect((await bind('b1', 'Ub1', { acquisition: { source: 'import' } })).body).toEqual({ subjectId })
    expect(await get('b1')).toMatchObject({ uid: 'b1', subjectId, stage: 'visitor', acquisition })
    expect((await get('b1')).addresses).toEqual([
      { channel: 'chat', address: 'Ub1', boundAt: expect.any(String), blocked: false, suppressed: false },
    ])
  })

  it('can be bound by the subject id, and replaces the previous address', async () => {
    const { subjectId } = (await bind('b2')).body
    await bind(subjectId, 'Unew')
    expect((await get('b2')).addresses.map(({ address }: { address: string }) => address)).toEqual(['Unew'])
  })

  it('may be bound under any name of up to 100 characters, and no longer one', async () => {
    for (const [uid, code] of [
      ['學'.repeat(100), null],
      ['𠮷'.repeat(100), null],
      ['a/b?c#d%2F', null],
      ['學'.repeat(101), 'validation_error'],
    ] as const) {
      const answer = await ask('bindAddress', encodeURIComponent(uid), { address: `U${uid.length}` })
      expect(answer.code).toBe(code)
      if (code === null) expect((await get(encodeURIComponent(uid))).uid).toBe(uid)
    }
  })

  it('of another person is rejected, and creates no subject', async () => {
    await bind('b3', 'Utaken')
    const refused = await bind('b4', 'Utaken')
    expect(refused.code).toBe('invalid_transition')
    expect(refused.body.error.message).toContain('Unbind it there')
    expect(refused.body.error.details).toEqual({
      state: 'bound',
      by: expect.stringMatching(/^key:/),
      at: expect.any(String),
    })
    expect((await ask('getSubject', 'b4')).code).toBe('not_found')
  })

  it('that is invalid is rejected', async () => {
    expect((await bind('b5', 'no spaces please')).code).toBe('validation_error')
    const mail = {
      key: api.keys.administrative,
      id: 'b5',
      channel: 'email',
      body: { address: 'x@y@z\r\nBcc: all' },
    }
    expect((await api.call('bindAddress', mail)).code).toBe('validation_error')
    expect((await api.call('bindAddress', { ...mail, channel: 'pigeon' })).code).toBe('not_found')
    expect((await bind('b%205')).code).toBe('validation_error')
  })

  it('is unbound once, twice, and for an unknown person', async () => {
    const { subjectId } = (await bind('b6')).body
    for (const _ of [1, 2]) expect((await ask('unbindAddress', 'b6')).body).toEqual({ subjectId })
    expect((await get('b6')).addresses).toEqual([])
    expect((await ask('unbindAddress', 'nobody')).code).toBe('not_found')
    expect((await auditOf(subjectId)).map(({ action }) => action)).toEqual(['bind', 'unbind', 'read'])
  })

  it('is bound to one of two subjects that bind it concurrently', async () => {
    const answers = await all(20, (i) => bind(`race${i}`, 'Urace'))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'invalid_transition')).toHaveLength(19)
  })

  it('bound twenty times at once for an unknown uid makes one person', async () => {
    const answers = await all(20, () => bind('once', 'Uonce'))
    expect(new Set(answers.map(({ body }) => body.subjectId)).size).toBe(1)
  })
})

describe('a person', () => {
  it('is updated; omitted fields stay', async () => {
    await bind('p1')
    const profile = { displayName: 'Ada', locale: 'en', roles: ['student'], attributes: { year: 1, x: 'y' } }
    await ask('updateSubject', 'p1', {
      stage: 'lead',
      profile,
      tags: { add: ['interest:go', 'cohort:2026'] },
    })
    const changes = {
      profile: { orgUnits: ['law'], attributes: { x: null, z: 2 } },
      tags: { remove: ['interest:go'] },
    }
    expect((await ask('updateSubject', 'p1', changes)).body).toMatchObject({
      stage: 'lead',
      profile: { ...profile, orgUnits: ['law'], classIds: [], attributes: { year: 1, z: 2 } },
      tags: ['cohort:2026'],
    })
  })

  it('has tags once, however often they are added', async () => {
    await bind('p2')
    await all(20, (i) => ask('updateSubject', 'p2', { tags: { add: ['a:1', `b:${i}`] } }))
    expect((await get('p2')).tags.sort()).toEqual(
      ['a:1', ...Array.from({ length: 20 }, (_, i) => `b:${i}`)].sort(),
    )
  })

  it.each(['nonamespace', 'interest:', ':x', 'interest:中文', 'a b:c', ''])(
    'rejects the tag %j',
    async (tag) => {
      expect((await ask('updateSubject', 's1', { tags: { add: [tag] } })).code).toBe('validation_error')
    },
  )

  it('only moves forward in stage', async () => {
    await bind('p3')
    await ask('updateSubject', 'p3', { stage: 'member' })
    expect((await ask('updateSubject', 'p3', { stage: 'lead' })).body.stage).toBe('member')
  })

  it('ends at the furthest stage of concurrent writes, and keeps one acquisition', async () => {
    await bind('p4')
    const stages = ['visitor', 'lead', 'alumni', 'member']
    const answers = await all(40, (i) =>
      ask('updateSubject', 'p4', {
        stage: stages[i % 4],
        acquisition: { source: `event:e${i}`, ref: `${i}` },
      }),
    )
    const { stage, acquisition } = await get('p4')
    expect(stage).toBe('alumni')
    const { source, ref } = acquisition
    expect(source).toBe(`event:e${ref}`)
    expect(new Set(answers.map(({ body }) => body.acquisition.source))).toEqual(new Set([source]))
  })

  it('is followed by Carillon, not by a caller', async () => {
    await bind('p7')
    const acquisition = { source: 'chat_follow' }
    expect((await ask('updateSubject', 'p7', { acquisition })).code).toBe('validation_error')
    expect((await bind('p8', 'Up8', { acquisition })).code).toBe('validation_error')
    expect((await get('p7')).acquisition).toBeNull()
  })

  it('is not updated by an empty body', async () => {
    expect((await ask('updateSubject', 's1', {})).code).toBe('validation_error')
  })

  it('is found by its id in either case, and by its uid as it is', async () => {
    const { subjectId } = (await bind('p9')).body
    expect((await get(subjectId.toUpperCase())).uid).toBe('p9')
    expect((await ask('getSubject', 'P9')).code).toBe('not_found')
  })

  it('that is unknown is not created by an update', async () => {
    expect((await ask('updateSubject', 'nobody', { stage: 'lead' })).code).toBe('not_found')
  })

  it('is only a uid and a subject id to keys of other units', async () => {
    const { subjectId } = (await bind('p5')).body
    for (const id of ['p5', subjectId])
      expect((await api.call('getSubject', { key: api.keys.a, id })).body).toEqual({
        detail: 'ids',
        uid: 'p5',
        subjectId,
      })
    const whole = { detail: 'full', uid: 'p5', subjectId, stage: 'visitor' }
    expect(await get('p5')).toMatchObject(whole)
  })

  it('has an audit log without the written values', async () => {
    const { subjectId } = (await bind('p6', 'Usecret')).body
    await ask('updateSubject', 'p6', { profile: { displayName: 'Secret' }, tags: { add: ['secret:1'] } })
    const trail = await auditOf(subjectId)
    expect(trail.map(({ action }) => action)).toEqual(['bind', 'update'])
    expect(trail[1]!.details).toEqual({ changed: ['tags', 'profile.displayName'] })
    expect(JSON.stringify(trail)).not.toMatch(/secret/i)
    expect(new Set(trail.map(({ unit_id }) => unit_id)).size).toBe(1)
  })
})

it('a person erased during concurrent writes is gone, and no writer gets an internal error', async () => {
  for (let n = 0; n < 5; n += 1) {
    const uid = `erased${n}`
    await bind(uid)
    const answers = await Promise.all([
      ...(await all(5, async () => ask('grantConsent', uid, { scope: 'x', version: '1', source: 'form' }))),
      ask('eraseSubject', uid),
      ...[1, 2, 3].map((i) => ask('updateSubject', uid, { tags: { add: [`a:${i}`] } })),
      ask('unbindAddress', uid),
      ask('bindAddress', uid, { address: `Uagain${n}` }),
    ])
    for (const { code } of answers) expect([null, 'not_found', 'unavailable']).toContain(code)
  }
})

describe('a consent', () => {
  const consent = { scope: 'admission', version: '1', source: 'form' }

  it('is given, withdrawn in the query or the body, and given again; all of it is remembered', async () => {
    const { subjectId } = (await bind('c1')).body
    expect((await ask('grantConsent', 'c1', consent)).body).toMatchObject({ ...consent, withdrawnAt: null })
    const withdrawn = (await ask('revokeConsent', 'c1', undefined, { scope: 'admission' })).body
    expect(withdrawn).toEqual({ scope: 'admission', withdrawnAt: expect.any(String) })
    expect((await ask('revokeConsent', 'c1', { scope: 'admission' })).body).toEqual(withdrawn)
    await ask('grantConsent', 'c1', { ...consent, version: '2' })
    expect((await get('c1')).consents).toMatchObject([
      { scope: 'admission', version: '2', withdrawnAt: null },
    ])
    const history = await api.database.db
      .selectFrom('consent_history')
      .select(['what', 'version'])
      .where('subject_id', '=', subjectId)
      .orderBy('id')
      .execute()
    expect(history).toEqual([
      { what: 'granted', version: '1' },
      { what: 'withdrawn', version: '1' },
      { what: 'granted', version: '2' },
    ])
  })

  it('that was never given is withdrawn without a trace; the scope is required', async () => {
    await bind('c2')
    expect((await ask('revokeConsent', 'c2', { scope: 'x' })).body).toEqual({ scope: 'x', withdrawnAt: null })
    expect((await ask('revokeConsent', 'c2')).code).toBe('validation_error')
  })

  it('is withdrawn with the body that gave it, and by one scope only', async () => {
    await bind('c4')
    await ask('grantConsent', 'c4', consent)
    expect((await ask('revokeConsent', 'c4', consent, { scope: 'alumni' })).code).toBe('validation_error')
    expect((await ask('revokeConsent', 'c4', { ...consent, colour: 'red' })).code).toBe('validation_error')
    expect((await ask('revokeConsent', 'c4', consent, { scope: 'admission' })).body).toEqual({
      scope: 'admission',
      withdrawnAt: expect.any(String),
    })
  })

  it('given twenty times at once is given once', async () => {
    const { subjectId } = (await bind('c3')).body
    await all(20, () => ask('grantConsent', 'c3', consent))
    const rows = await selectRows(api.database.db, 'consent_history', { subject_id: subjectId }, ['what'])
    expect(rows).toHaveLength(1)
  })
})
