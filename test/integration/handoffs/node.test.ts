import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { insertHandoffText } from '../../../src/db/queries/handoff/handoff.ts'
import { endRuns } from '../../../src/db/queries/scenario-run/end.ts'
import { retireRuns } from '../../../src/db/queries/scenario-run/farewell.ts'
import { closeSilentHandoffs } from '../../../src/services/handoffs/close.ts'
import { text, typeText } from '../../fixtures/conversations.ts'
import { chatAddress } from '../../fixtures/handoffs.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { forApiWithRuns } from '../../fixtures/open-runs.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const { api, runs } = forApiWithRuns(1_000)
afterAll(async () => {
  expect(await brokenInvariants(api.database.db)).toEqual([])
})

/** Hands over at once; says whether a person closed it or its time was over. */
function handingOver(timeoutSeconds: number): ScenarioContent {
  return {
    nodes: [
      { id: 'desk', kind: 'handoff', timeoutSeconds },
      { id: 'closed', kind: 'message', messages: [text('後會有期')] },
      { id: 'nobody', kind: 'message', messages: [text('目前忙線中')] },
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'desk', to: 'closed' },
      { from: 'desk', to: 'nobody', when: { kind: 'timeout' } },
      { from: 'closed', to: 'end' },
      { from: 'nobody', to: 'end' },
    ],
  }
}

const as = () => ({ session: api.sessions.editor })
const read = async (id: string) => (await api.call('getHandoff', { ...as(), id })).body
const reaches = (id: string, state: object) =>
  eventually(async () => expect(await scenarioRunRow(runs.db, id)).toMatchObject(state))

async function begin({ timeoutSeconds = 3_600, test = false, content: more = {} } = {}) {
  const { db } = runs
  const content = { ...handingOver(timeoutSeconds), ...more }
  const scenario = await insertScenario(db, { unitId: api.units.a, content })
  const id = await insertScenarioRun(db, { scenario, columns: { node: 'desk', test } })
  const { subject_id: subjectId } = await scenarioRunRow(db, id)
  const query = db.selectFrom('address').select('address').where('subject_id', '=', subjectId!)
  const { address } = await query.executeTakeFirstOrThrow()
  runs.wake('scenario', id, [{ name: 'started' }])
  return { id, scenarioId: scenario.id, subjectId, address }
}

/** Somebody else, to whom the chat address of a person has moved. */
async function addressHolder({ address }: { address: string }, uid: string) {
  const directory = { key: api.keys.administrative }
  await api.call('unbindAddress', { ...directory, id: uid })
  const holder = { ...directory, id: randomUUID() }
  const { body } = await api.call('bindAddress', { ...holder, body: { address } })
  return { subjectId: body.subjectId as string, address }
}

/** A run that waits at its handoff. */
async function waiting(how = {}) {
  const run = await begin(how)
  await reaches(run.id, { state: 'waiting', node: 'desk' })
  const { body } = await api.call('getRun', { ...as(), id: run.id })
  return { ...run, handoffId: body.handoffs[0].id as string }
}

describe('a handoff node', () => {
  it('opens a handoff, and the run goes on once a person closes it', async () => {
    const run = await waiting()
    const opened = await read(run.handoffId)
    expect(opened).toMatchObject({
      ...{ unitId: api.units.a, openedBy: 'scenario', subjectId: run.subjectId },
      ...{ scenarioId: run.scenarioId, conversationId: null, state: 'open', test: false, messages: [] },
    })
    for (const field of ['runId', 'node']) expect(opened).not.toHaveProperty(field)
    const approver = { session: api.sessions.approver, id: run.handoffId }
    expect((await api.call('getHandoff', approver)).body).toMatchObject({ runId: run.id, node: 'desk' })
    expect(await typeText(runs, run, '有人嗎')).toBe('handed_over')
    expect(await typeText(runs, run, '取消')).toBe('handed_over')
    const closed = await api.call('closeHandoff', { ...as(), id: run.handoffId })
    expect(closed.body).toEqual({ id: run.handoffId, state: 'closed' })
    await reaches(run.id, { state: 'done', node: 'end' })
    const { messages, ...ended } = await read(run.handoffId)
    expect(messages.map((message: { text: string }) => message.text)).toEqual(['有人嗎', '取消'])
    expect(ended).toMatchObject({ state: 'closed', reason: 'closed', closedBy: { name: 'Editor' } })
    const path = await runs.db.selectFrom('scenario_step').selectAll().where('run_id', '=', run.id).execute()
    expect(path.map(({ node }) => node).sort()).toEqual(['closed', 'desk', 'end'])
    const again = await api.call('closeHandoff', { ...as(), id: run.handoffId })
    expect(again.body.error).toMatchObject({
      ...{
        code: 'invalid_transition',
        details: { state: 'closed', by: ended.closedBy.id, at: ended.closedAt },
      },
    })
  })

  it('is left by its time-out, which closes the handoff', async () => {
    const run = await begin({ timeoutSeconds: 1 })
    await reaches(run.id, { state: 'done', node: 'end' })
    const { handoffs, path } = (await api.call('getRun', { ...as(), id: run.id })).body
    expect(path.map(({ node }: { node: string }) => node)).toEqual(['desk', 'nobody', 'end'])
    expect(await read(handoffs[0].id)).toMatchObject({
      ...{ state: 'closed', reason: 'timeout', closedBy: { id: 'system:run' } },
    })
    expect(await typeText(runs, run, '有人嗎')).toBe('recorded')
  })

  it('has its handoff closed when the run ends another way', async () => {
    const cancelled = await waiting()
    await api.call('cancelRun', { ...as(), id: cancelled.id })
    expect(await read(cancelled.handoffId)).toMatchObject({ state: 'closed', reason: 'run_ended' })
    const ended = await waiting()
    await runs.db
      .transaction()
      .execute((trx) => endRuns(trx, { ids: [ended.id] }, { state: 'cancelled', reason: 'left' }))
    expect(await read(ended.handoffId)).toMatchObject({ state: 'closed', reason: 'run_ended' })
    await reaches(ended.id, { state: 'cancelled', reason: 'left' })
  })

  it('says the farewell of a retired scenario, and closes the handoff', async () => {
    const run = await waiting({ content: { farewell: { 'zh-TW': '感謝您' } } })
    await runs.db.updateTable('scenario').set({ state: 'retired' }).where('id', '=', run.scenarioId).execute()
    await runs.db.transaction().execute((trx) => retireRuns(trx, run.scenarioId, 10))
    runs.wake('scenario', run.id, [{ name: 'cancelled' }])
    await reaches(run.id, { state: 'cancelled', reason: 'retired' })
    expect(await read(run.handoffId)).toMatchObject({ state: 'closed', reason: 'run_ended' })
  })

  it('of a test opens a handoff that is marked as one', async () => {
    const run = await waiting({ test: true })
    expect(await read(run.handoffId)).toMatchObject({ test: true, state: 'open' })
    await api.call('closeHandoff', { ...as(), id: run.handoffId })
    await reaches(run.id, { state: 'done' })
  })

  it('hands over its person alone, at whichever address they are', async () => {
    const run = await waiting()
    const directory = { key: api.keys.administrative }
    const uidOf = async (id: string) => (await api.call('getSubject', { ...directory, id })).body.uid
    const uid = await uidOf(run.subjectId!)
    const other = await addressHolder(run, uid)
    expect(await typeText(runs, other, '是我')).toBe('recorded')
    expect(await read(run.handoffId)).toMatchObject({ state: 'open', uid, messages: [] })
    const address = chatAddress()
    await api.call('bindAddress', { ...directory, id: uid, body: { address } })
    expect(await typeText(runs, { ...run, address }, '換了手機')).toBe('handed_over')
    expect((await read(run.handoffId)).messages).toMatchObject([{ text: '換了手機' }])
  })

  it('stands in no history with what was said', async () => {
    const run = await waiting()
    await typeText(runs, run, 'canary-0925')
    await api.call('closeHandoff', { ...as(), id: run.handoffId })
    await reaches(run.id, { state: 'done' })
    const history = await runs.temporal.client.workflow.getHandle(`scenario/${run.id}`).fetchHistory()
    expect(Buffer.from(JSON.stringify(history)).toString()).not.toContain('canary-0925')
    expect(runs.logged.join('\n')).not.toContain('canary-0925')
  })
})

describe('silence', () => {
  it('of a day closes a handoff, and its run goes on', async () => {
    const [silent, spoken] = [await waiting(), await waiting()]
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const lastMessageAt = (id: string, spoken_at: Date) =>
      runs.db.updateTable('handoff').set({ spoken_at }).where('id', '=', id).execute()
    await lastMessageAt(silent.handoffId, ago(24.1))
    await lastMessageAt(spoken.handoffId, ago(24.1))
    await typeText(runs, spoken, '還在嗎')
    await closeSilentHandoffs(api.services)
    expect(await read(silent.handoffId)).toMatchObject({
      reason: 'silence',
      closedBy: { id: 'system:run' },
    })
    expect(await read(spoken.handoffId)).toMatchObject({ state: 'open' })
    await reaches(silent.id, { state: 'done' })
  })

  it('ends with what is said while the round closes it', async () => {
    const { handoffId, subjectId } = await waiting()
    const { db } = runs
    const longAgo = new Date(Date.now() - 25 * 3_600_000)
    await db.updateTable('handoff').set({ spoken_at: longAgo }).where('id', '=', handoffId).execute()
    const message = { handoffId, subjectId, text: '還在嗎', eventId: randomUUID() }
    await commitWhileBlocked(
      db,
      (trx) => insertHandoffText(trx, message),
      () => closeSilentHandoffs(api.services),
    )
    const { state, messages } = await read(handoffId)
    expect([state, messages.map(({ text }: { text: string }) => text)]).toEqual(['open', ['還在嗎']])
  })

  it('closes each once, whoever is faster', async () => {
    const run = await waiting()
    const closes = [1, 2, 3].map(() => api.call('closeHandoff', { ...as(), id: run.handoffId }))
    const answers = await Promise.all(closes)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })
})
