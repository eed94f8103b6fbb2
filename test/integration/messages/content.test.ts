import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { selectRow, updateRows } from '../../fixtures/rows.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const label = { 'zh-TW': '好' }
const asKey = () => ({ key: api.keys.a })

async function draft(...actions: object[]): Promise<string> {
  const messages = [{ kind: 'buttons', text: label, actions }]
  return (await createMessage(api, { messages }, asKey())).body.id
}
const mute = (categoryId: string) => ({ kind: 'mute', label, categoryId })
const join = (groupId: string) => ({ kind: 'addToGroup', label, groupId })
const jump = (scenarioId: string) => ({ kind: 'jumpScenario', label, scenarioId })
const next = (optionId?: string) => ({ kind: 'nextNode', label, nodeId: 'n', optionId })
const dryRun = async (id: string) => (await api.call('dryRunMessage', { ...asKey(), id })).body

async function group(body: object, key = api.keys.a): Promise<string> {
  return (await api.call('createGroup', { key, body: { name: randomUUID(), ...body } })).body.id
}

describe('the buttons of a message', () => {
  it('may name only categories that exist and static groups of the unit', async () => {
    const own = await group({ kind: 'static', legalBasis: 'consent' })
    expect(
      (await dryRun(await draft(mute('manual'), join(own), join(own.toUpperCase())))).violations,
    ).toEqual([])

    const foreign = await group({ kind: 'static', legalBasis: 'consent' }, api.keys.b)
    const dynamic = await group({ kind: 'dynamic', query: { roles: ['student'] } })
    const id = await draft(mute('gone'), join(foreign), join(dynamic), join('no id'))
    const { violations } = await dryRun(id)
    expect(violations).toMatchObject([
      { path: 'messages[0].actions[0].categoryId', code: 'unknown_reference' },
      { path: 'messages[0].actions[1].groupId', code: 'unknown_reference' },
      { path: 'messages[0].actions[2].groupId', code: 'unknown_reference' },
      { path: 'messages[0].actions[3].groupId', code: 'unknown_reference' },
    ])
    expect(violations[0].message.en).toContain('gone')
    const refused = await api.call('submitMessage', { ...asKey(), id })
    expect(refused.code).toBe('content_violation')
    expect(refused.body.error.details).toEqual({ violations })
  })

  it('may start only scenarios of the unit, in whatever state', async () => {
    const { db } = api.database
    const own = await insertScenario(db, { unitId: api.units.a, state: 'draft' })
    expect((await dryRun(await draft(jump(own.id), jump(own.id.toUpperCase())))).violations).toEqual([])

    const foreign = await insertScenario(db, { unitId: api.units.b })
    const id = await draft(jump(foreign.id), jump(randomUUID()), jump('no id'))
    const { violations } = await dryRun(id)
    expect(violations).toMatchObject(
      [0, 1, 2].map((n) => ({ path: `messages[0].actions[${n}].scenarioId`, code: 'unknown_reference' })),
    )
    const refused = await api.call('submitMessage', { ...asKey(), id })
    expect([refused.code, refused.body.error.details]).toEqual(['content_violation', { violations }])
  })

  it('that begin what is not active now are a warning, also for the approver', async () => {
    const { db } = api.database
    const own = await insertScenario(db, { unitId: api.units.a, categoryId: 'news', state: 'draft' })
    const active = await insertScenario(db, { unitId: api.units.a, categoryId: 'news' })
    const id = await draft(jump(active.id), jump(own.id), jump(own.id.toUpperCase()))
    const { warnings } = await dryRun(id)
    expect(warnings).toMatchObject(
      [1, 2].map((n) => ({ path: `messages[0].actions[${n}].scenarioId`, code: 'scenario_not_active' })),
    )
    expect((await api.call('submitMessage', { ...asKey(), id })).status).toBe(200)
    const { body } = await api.call('getMessage', { session: api.sessions.approver, id })
    expect(body.snapshot.warnings).toEqual(warnings)
    await db.updateTable('scenario').set({ state: 'paused' }).where('id', '=', active.id).execute()
    expect((await dryRun(id)).warnings).toHaveLength(3)
  })

  it('must be told apart by their ids', async () => {
    const { violations } = await dryRun(await draft(next('a'), next('a')))
    expect(violations).toMatchObject([{ path: 'messages[0].actions[1].optionId', code: 'duplicate_option' }])
  })

  it('that lead into a scenario are a warning, which the approver sees too', async () => {
    const id = await draft(next())
    const { violations, warnings } = await dryRun(id)
    expect(violations).toEqual([])
    expect(warnings).toMatchObject([{ path: 'messages[0].actions[0]', code: 'no_scenario' }])
    expect((await api.call('submitMessage', { ...asKey(), id })).status).toBe(200)
    expect((await dryRun(id)).warnings).toEqual(warnings)
    const { body } = await api.call('getMessage', { session: api.sessions.approver, id })
    expect(body.snapshot.warnings).toEqual(warnings)
  })

  it('have no warnings in a dry-run that was stored before there were any', async () => {
    const id = await draft(mute('manual'))
    expect((await api.call('submitMessage', { ...asKey(), id })).body).toEqual({ state: 'submitted' })
    const { db } = api.database
    const { snapshot } = await selectRow(db, 'message', { id }, ['snapshot'])
    const { warnings: _, ...before } = snapshot!
    await updateRows(db, 'message', { id }, { snapshot: JSON.stringify(before) })
    const { body } = await api.call('getMessage', { session: api.sessions.approver, id })
    expect(body.snapshot.warnings).toEqual([])
  })
})

it('a text with invisible characters cannot be submitted', async () => {
  const messages = [{ kind: 'text', text: { 'zh-TW': '請下載 invoice\u202Efdp.exe' } }]
  const { id } = (await createMessage(api, { messages }, asKey())).body
  expect((await dryRun(id)).violations).toMatchObject([
    { path: 'messages[0].text.zh-TW', code: 'invisible_character' },
  ])
  expect((await api.call('submitMessage', { ...asKey(), id })).code).toBe('content_violation')
})
