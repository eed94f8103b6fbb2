import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newPattern, newPatternVersion } from '../../fixtures/new-pattern.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
const key = () => ({ key: api.keys.a })
const get = async (id: string) => (await api.call('getPattern', { ...key(), id })).body
const activate = (id: string) => api.call('putScenario', { ...key(), id, body: { state: 'active' } })
const decide = (verb: 'approve' | 'reject', id: string, version: number) =>
  api.call(`${verb}Scenario`, {
    ...{ session: api.sessions.approver, id },
    body: { version, ...(verb === 'reject' && { reason: '日期寫錯了' }) },
  })
const changed = (parts: object = {}) => newPatternVersion({ categoryId: 'manual', ...parts })
const change = (id: string, parts: object = {}, headers: Record<string, string> = {}) =>
  api.call('createPatternVersion', { ...key(), id, body: changed(parts), headers })

/** A pattern whose first version is in force. */
async function open(parts: object = {}): Promise<{ id: string; scenarioId: string }> {
  const { body } = await api.call('createPattern', {
    ...key(),
    body: newPattern({ categoryId: 'manual', ...parts }),
  })
  await activate(body.scenarioId)
  await decide('approve', body.scenarioId, 1)
  return body
}

describe('a new version of a pattern', () => {
  it('is asked for as any version, and what is in force stays until it is approved', async () => {
    const { id, scenarioId } = await open()
    const { status, body } = await change(id, { title: { 'zh-TW': '新的導覽' }, capacity: 40 })
    expect(status).toBe(201)
    expect(body).toMatchObject({ version: 2, versionState: 'draft', inForce: 1, capacity: 30 })
    expect(body.title['zh-TW']).toBe('圖書館導覽')
    await activate(scenarioId)
    expect(await get(id)).toMatchObject({ scenarioState: 'submitted', inForce: 1, capacity: 30 })
    await decide('approve', scenarioId, 2)
    expect(await get(id)).toMatchObject({
      ...{ scenarioState: 'active', version: 2, versionState: 'in_force', inForce: 2, capacity: 40 },
      title: { 'zh-TW': '新的導覽' },
    })
  })

  it('that says the same as the newest is none', async () => {
    const { id } = await open({ deadline: '2090-01-01T00:00:00Z' })
    const same = await change(id, { deadline: '2090-01-01T00:00:00Z' })
    expect(same.body).toMatchObject({ version: 1, versionState: 'in_force' })
  })

  it('replaces one that waits, and is refused of another version than was shown', async () => {
    const { id, scenarioId } = await open()
    await change(id, { name: 'Second' })
    await activate(scenarioId)
    expect((await change(id, { name: 'Third' }, { 'if-match': '"1"' })).code).toBe('invalid_transition')
    expect((await change(id, { name: 'Third' }, { 'if-match': '"2"' })).body).toMatchObject({ version: 3 })
    expect((await decide('approve', scenarioId, 2)).code).toBe('invalid_transition')
  })

  it('takes no places away, and what is moved meanwhile is moved in it', async () => {
    const { id, scenarioId } = await open()
    expect((await change(id, { capacity: 20 })).code).toBe('validation_error')
    await change(id, { capacity: 40, name: 'More' })
    await activate(scenarioId)
    const deadline = '2090-06-01T00:00:00.000Z'
    await api.call('patchPattern', { ...key(), id, body: { deadline, capacity: 35 } })
    expect(await get(id)).toMatchObject({ deadline, capacity: 35 })
    await decide('approve', scenarioId, 2)
    expect(await get(id)).toMatchObject({ deadline, capacity: 40 })
  })

  it('may take places away, and more, as long as none was in force', async () => {
    const { body } = await api.call('createPattern', { ...key(), body: newPattern() })
    const answer = await change(body.id, { capacity: 5, questions: undefined })
    expect(answer.body).toMatchObject({ version: 2, inForce: null, capacity: 5 })
    expect(answer.body.questions.map(({ id }: { id: string }) => id)).toEqual(['join'])
  })

  it('is none of a retired one, or of another unit', async () => {
    const { id, scenarioId } = await open()
    await api.call('putScenario', { ...key(), id: scenarioId, body: { state: 'retired' } })
    expect((await change(id)).code).toBe('invalid_transition')
    const ofOther = await api.call('createPatternVersion', { key: api.keys.b, id, body: changed() })
    expect(ofOther.code).toBe('not_found')
  })
})

describe('a pattern that waits', () => {
  let waiting: { id: string; scenarioId: string }
  beforeAll(async () => {
    const { body } = await api.call('createPattern', {
      ...key(),
      body: newPattern({ categoryId: 'manual' }),
    })
    waiting = body
    await activate(waiting.scenarioId)
  })
  const withdraw = (version: number) =>
    api.call('withdrawScenario', {
      ...{ session: api.sessions.editor, id: waiting.scenarioId },
      body: { version },
    })

  it('says why it was rejected, and is asked for again as another version', async () => {
    await decide('reject', waiting.scenarioId, 1)
    expect(await get(waiting.id)).toMatchObject({
      ...{ scenarioState: 'draft', versionState: 'rejected', inForce: null },
      decision: { by: { name: 'Approver' }, reason: '日期寫錯了' },
    })
    await activate(waiting.scenarioId)
    expect(await get(waiting.id)).toMatchObject({ version: 2, versionState: 'submitted', decision: null })
  })

  it('is withdrawn, in the version that was shown', async () => {
    expect((await withdraw(1)).code).toBe('invalid_transition')
    expect((await withdraw(2)).body).toMatchObject({ state: 'draft', versionState: 'withdrawn' })
    expect((await withdraw(2)).code).toBe('invalid_transition')
    expect((await decide('approve', waiting.scenarioId, 2)).code).toBe('invalid_transition')
    await activate(waiting.scenarioId)
    expect(await get(waiting.id)).toMatchObject({ version: 3, versionState: 'submitted' })
  })

  it('gets one of two that come at once: a withdrawal or an approval', async () => {
    const [first, second] = await Promise.all([withdraw(3), decide('approve', waiting.scenarioId, 3)])
    expect([first!.status, second!.status].toSorted()).toEqual([200, 409])
  })
})
