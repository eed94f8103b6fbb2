import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { countQuery } from '../../../src/db/queries/audience/count.ts'
import { findGroupQueries } from '../../../src/db/queries/audience/subjects.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallResponse } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const create = (audience: object, key = api.keys.a) =>
  api.call('createMessage', {
    key,
    headers: { 'idempotency-key': randomUUID() },
    body: { ...newMessage, audience },
  })
const many = (count: number) => Array.from({ length: count }, (_, n) => `value ${n}`)
const issuesOf = async (audience: object) => (await create(audience)).body.error.details.issues

describe('a list of an audience', () => {
  it.each([
    ['orgUnits', limits.audienceValues],
    ['classIds', limits.audienceValues],
    ['tags', limits.audienceValues],
    ['groups', limits.audienceGroups],
  ])('%s has at most %i values, also in an exclusion', async (name, most) => {
    expect((await create({ kind: 'query', [name]: many(most) })).status).toBe(201)
    const message = `must have at most ${most} entries`
    expect(await issuesOf({ kind: 'query', [name]: many(most + 1) })).toMatchObject([
      { path: `audience.${name}`, message },
    ])
    expect(await issuesOf({ kind: 'all', exclude: { [name]: many(most + 1) } })).toMatchObject([
      { path: `audience.exclude.${name}`, message },
    ])
  })

  it('of uids has at most as many as documented', async () => {
    const uids = many(limits.individualUids + 1)
    const key = api.keys.individual
    expect((await create({ kind: 'individual', uids: uids.slice(1) }, key)).status).toBe(201)
    expect((await create({ kind: 'individual', uids }, key)).code).toBe('validation_error')
  })

  it('is stored without repeated values', async () => {
    const history = { kind: 'received', messageId: randomUUID() }
    const { id } = (
      await create({
        kind: 'query',
        roles: ['student', 'student'],
        tags: ['b', 'a', 'b'],
        history: [history, history],
      })
    ).body
    expect((await api.call('getMessage', { key: api.keys.a, id })).body.audience).toEqual({
      kind: 'query',
      roles: ['student'],
      tags: ['b', 'a'],
      history: [history],
    })
  })

  it('stored before there was a limit is still read and counted', async () => {
    const { id } = (await create({ kind: 'all' })).body
    const audience = {
      kind: 'query',
      orgUnits: many(limits.audienceValues + 1),
      roles: ['student', 'student'],
    }
    const { db } = api.database
    await updateRows(db, 'message', { id }, { audience: JSON.stringify(audience) })
    expect((await api.call('getMessage', { key: api.keys.a, id })).body.audience).toEqual(audience)
    expect((await api.call('dryRunMessage', { key: api.keys.a, id })).body.recipients.total).toBe(0)
  })
})

describe('a query of dynamic groups', () => {
  it('stands once in the statement, however many groups have it, and however often they are named', async () => {
    const query = { kind: 'query', roles: ['student'] }
    const make = async () =>
      (await api.call('createGroup', { key: api.keys.a, body: { name: 'G', kind: 'dynamic', query } })).body
        .id
    const ids: string[] = [await make(), await make()]
    const spec = (groups: string[]) => ({
      unitId: api.units.a,
      audience: { kind: 'query' as const, groups },
      plan: { mode: 'all' as const, channels: ['chat' as const] },
      categoryId: 'news',
      layer: 'service' as const,
      consentScope: null,
      topicId: null,
      frequencyCap: null,
    })
    const parametersOf = async (groups: string[]) => {
      const { audience, ...rest } = spec(groups)
      const groupQueries = await findGroupQueries(api.database.db, api.units.a, audience)
      return countQuery({ ...rest, audience, groupQueries }).compile(api.database.db).parameters.length
    }
    const repeated = Array.from({ length: 6_700 }, () => [...ids, ids[0]!.toUpperCase()]).flat()
    expect(await parametersOf(repeated)).toBe(await parametersOf([ids[0]!]))
  })
})

describe('counts of people', () => {
  it('run two at a time for each unit; a third that waits too long is answered 503', async () => {
    const { id } = (await create({ kind: 'all' })).body
    const other = (await create({ kind: 'all' }, api.keys.b)).body.id
    const count = (key = api.keys.a, of = id) => api.call('dryRunMessage', { key, id: of })
    const { db } = api.database
    let running: Promise<CallResponse>[] = []
    await db.transaction().execute(async (trx) => {
      await sql`lock table subject in access exclusive mode`.execute(trx)
      running = [count(), count(), count()]
      const { code, headers } = await Promise.race(running)
      expect([code, headers['retry-after']]).toEqual(['unavailable', '1'])
      running.push(count(api.keys.b, other))
    })
    const statuses = (await Promise.all(running)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 200, 200, 503])
    expect((await count()).status).toBe(200)
  })
})
