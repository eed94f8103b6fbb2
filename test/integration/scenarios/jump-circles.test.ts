import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { lockScenario } from '../../../src/db/queries/scenario/scenario.ts'
import { putInForce } from '../../../src/services/scenarios/put-in-force.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { forFile } from '../../harness/for-file.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const api = forFile(startApi)
afterEach(async () => {
  await sql`delete from scenario`.execute(api.database.db)
})

const byKey = (): CallOptions => ({ key: api.keys.a })
const createScenario = async (parts: object): Promise<string> =>
  (await api.call('createScenario', { ...byKey(), body: { ...newScenario(), ...parts } })).body.id
const put = (id: string, body: object) => api.call('putScenario', { ...byKey(), id, body })
const read = async (id: string) => (await api.call('getScenario', { ...byKey(), id })).body
const approve = (id: string, version: number) =>
  api.call('approveScenario', { session: api.sessions.approver, id, body: { version } })

const text = { kind: 'text', text: { 'zh-TW': '您好' } }
const over = { id: 'over', kind: 'end' }
/** Says something and jumps. */
const saysAndJumps = (scenarioId: string) => ({
  nodes: [
    { id: 'say', kind: 'message', messages: [text] },
    { id: 'on', kind: 'jump', scenarioId },
  ],
  edges: [{ from: 'say', to: 'on' }],
})
/** Asks, and jumps after the answer. */
const asksAndJumps = (scenarioId: string) => ({
  nodes: [
    {
      ...{ id: 'ask', kind: 'question', timeoutSeconds: 60 },
      message: { ...text, kind: 'quickReply', options: [{ id: 'yes', label: { 'zh-TW': '好' } }] },
    },
    { id: 'on', kind: 'jump', scenarioId },
    over,
  ],
  edges: [
    { from: 'ask', to: 'on', when: { kind: 'otherwise' } },
    { from: 'ask', to: 'over', when: { kind: 'timeout' } },
  ],
})

/** Two active scenarios; the second jumps to the first. */
async function pair(categoryId = 'news'): Promise<[string, string]> {
  const one = await createScenario({ name: 'One' })
  await put(one, { state: 'active' })
  const other = await createScenario({ name: 'Other', ...saysAndJumps(one) })
  await put(other, { state: 'active' })
  await put(one, { ...newScenario({ name: 'One', categoryId }), ...saysAndJumps(other) })
  return [one, other]
}

it('a version that closes a circle of jumps without an answer is saved with a warning, and not activated', async () => {
  const [one, other] = await pair()
  expect((await read(one)).warnings).toMatchObject([{ code: 'jump_circle', path: 'nodes[1].scenarioId' }])
  const { code, body } = await put(one, { state: 'active' })
  expect(code).toBe('dag_invalid')
  expect(body.error.details.problems).toMatchObject([
    { rule: 'jump_circle', node: 'on', message: { en: expect.stringContaining('“Other”') } },
  ])
  expect(await read(one)).toMatchObject({ inForce: 1, versionState: 'draft' })
  await put(one, { ...newScenario({ name: 'One' }), ...asksAndJumps(other), state: 'active' })
  expect(await read(one)).toMatchObject({ inForce: 3, warnings: [], cost: { maxTurns: 2, loops: true } })
})

it('a version that waits is not approved once another scenario has made it part of a circle', async () => {
  const one = await createScenario({ categoryId: 'manual' })
  await put(one, { state: 'active' })
  await approve(one, 1)
  const other = await createScenario({ ...saysAndJumps(one), categoryId: 'manual' })
  expect((await put(other, { state: 'active' })).body).toMatchObject({ state: 'submitted' })
  await put(one, { ...newScenario({ categoryId: 'manual' }), ...saysAndJumps(other), state: 'active' })
  expect((await approve(one, 2)).code).toBeNull()
  expect((await approve(other, 1)).code).toBe('dag_invalid')
  expect(await read(other)).toMatchObject({ inForce: null, versionState: 'submitted' })
})

it('of two versions that close a circle together, approved at the same moment, one comes in force', async () => {
  const { db } = api.database
  const [one, other] = await pair('manual')
  await put(other, { ...newScenario(), categoryId: 'manual' })
  await sql`update scenario_version set state = 'replaced' where state = 'in_force'`.execute(db)
  await put(other, { ...newScenario({ categoryId: 'manual' }), ...saysAndJumps(one) })
  const approveIn = async (trx: Parameters<typeof lockScenario>[0], id: string) => {
    const row = await lockScenario(trx, id, [api.units.a])
    await putInForce(trx, row!, { by: 'person:1', autoApproved: false })
  }
  const second = commitWhileBlocked(
    db,
    (trx) => approveIn(trx, one),
    () => db.transaction().execute((trx) => approveIn(trx, other)),
  )
  await expect(second).rejects.toMatchObject({ code: 'dag_invalid' })
})

it('the approver reads what a start costs with everything that its jumps begin', async () => {
  const last = await createScenario({ name: 'Last' })
  await put(last, { state: 'active' })
  const middle = await createScenario({ name: 'Middle', ...saysAndJumps(last) })
  await put(middle, { state: 'active' })
  const first = await createScenario({ name: 'First', categoryId: 'manual', ...saysAndJumps(middle) })
  await put(first, { state: 'active' })
  const { maxTurns } = (await read(last)).cost
  expect((await read(first)).cost).toEqual({ maxTurns: maxTurns + 2, loops: false })
  const simulated = await api.call('simulateScenario', {
    ...byKey(),
    id: first,
    body: { answers: {}, lookups: {} },
  })
  expect(simulated.body.cost).toEqual({ maxTurns: maxTurns + 2, loops: false })
  const page = await api.app.inject({
    url: `/approvals/scenario/${first}`,
    headers: { cookie: `hub_session=${api.sessions.approver}` },
  })
  expect(page.body).toContain(`每人每次最多 ${maxTurns + 2} 則聊天推播`)
})

it('a version whose jumps lead to more scenarios than may be is saved with a warning, and not activated', async () => {
  const { db } = api.database
  const end = await createScenario({ name: 'End' })
  // Each of so many jumps to the one before it; the last two are jumped to.
  const chain = [end]
  for (let n = 0; n < limits.scenariosLedTo; n += 1) {
    const { rows } = await sql<{ id: string }>`
      insert into scenario (unit_id, state, created_by) select unit_id, 'active', created_by from scenario where id = ${end} returning id`.execute(
      db,
    )
    const jumps = { turns: 1, jumps: [{ to: chain.at(-1), turns: 1, unattended: true }] }
    await sql`
      insert into scenario_version (scenario_id, version, state, name, category_id, content, jumps, created_by, authors)
      select ${rows[0]!.id}, 1, 'in_force', 'Link ' || ${n}::int, category_id, content, ${JSON.stringify(jumps)}, created_by, authors
      from scenario_version where scenario_id = ${end}`.execute(db)
    chain.push(rows[0]!.id)
  }
  const near = await createScenario({ name: 'Near', ...saysAndJumps(chain.at(-2)!) })
  const { maxTurns } = (await read(end)).cost
  expect(await read(near)).toMatchObject({
    warnings: [],
    cost: { maxTurns: limits.scenariosLedTo + maxTurns },
  })
  const far = await createScenario({ name: 'Far', ...saysAndJumps(chain.at(-1)!) })
  expect((await read(far)).warnings).toMatchObject([{ code: 'jump_reach', path: 'nodes[1].scenarioId' }])
  const { code, body } = await put(far, { state: 'active' })
  expect(code).toBe('dag_invalid')
  expect(body.error.details.problems).toMatchObject([{ rule: 'jump_reach', node: 'on' }])
})
