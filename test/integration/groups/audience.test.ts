import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const asProducer = () => ({ key: api.keys.a })
const make = async (body: object) =>
  (await api.call('createGroup', { ...asProducer(), body: { name: 'Group', ...body } })).body
const list = { kind: 'static', legalBasis: 'consent' }
const change = (id: string, body: object) => api.call('changeMembers', { ...asProducer(), id, body })

/** How many people a dry-run counts for an audience, whether they can be reached or not. */
async function counted(audience: object, key = api.keys.a): Promise<number> {
  const { id } = (await createMessage(api, { audience }, { key })).body
  const { total, excluded } = (await api.call('dryRunMessage', { key, id })).body.recipients
  return Object.values<number>(excluded).reduce((sum, people) => sum + people, total)
}

describe('a group', () => {
  it('is an audience, alone, with others, and as an exclusion', async () => {
    const { id: two } = await make(list)
    await change(two, { add: ['s1', 's2'] })
    const query = { kind: 'query', roles: ['student'], exclude: { groups: [two] } }
    const { id: others } = await make({ kind: 'dynamic', query })
    const groups = (...ids: string[]) => ({ kind: 'query', groups: ids })
    expect(await counted(groups(two))).toBe(2)
    expect(await counted(groups(others))).toBe(1)
    expect(await counted(groups(two, others))).toBe(3)
    expect(await counted({ kind: 'all', exclude: { groups: [others] } })).toBe(2)
    expect(await counted({ ...groups(two), exclude: { groups: [others] } })).toBe(2)
    expect(await counted(groups(two, others), api.keys.b)).toBe(0)
  })

  it('resolves to its query’s current members', async () => {
    const { id } = await make({ kind: 'dynamic', query: { roles: ['teacher'] } })
    expect(await counted({ kind: 'query', groups: [id] })).toBe(0)
    const body = { query: { roles: ['student'] } }
    const { query } = (await api.call('editGroup', { ...asProducer(), id, body })).body
    expect(query).toEqual({ kind: 'query', roles: ['student'] })
    expect(await counted({ kind: 'query', groups: [id] })).toBe(3)
  })

  it('keeps its unit’s people private', async () => {
    const { id } = await make(list)
    for (const operation of ['getGroup', 'listMembers'] as const)
      expect((await api.call(operation, { key: api.keys.b, id })).code).toBe('not_found')
    expect((await api.call('changeMembers', { key: api.keys.b, id, body: { add: ['s1'] } })).code).toBe(
      'not_found',
    )
    expect((await api.call('listGroups', { key: api.keys.b })).body.items).toEqual([])
  })

  it('accepts as many people in one call as documented, and no more', async () => {
    const { id } = await make(list)
    const add = Array.from({ length: limits.membersPerCall }, (_, n) => `unknown-${n}`)
    expect((await change(id, { add })).body).toEqual({ added: 0, removed: 0, unknownUids: add.length })
    expect((await change(id, { add: [...add, 's1'] })).code).toBe('validation_error')
  })
})
