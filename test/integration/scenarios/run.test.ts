import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { insertWebhookEvents } from '../../../src/db/queries/event/webhook.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { endRuns } from '../../../src/db/queries/scenario/end.ts'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import type { RunsFixture } from '../../fixtures/runs.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'

const text = (zh: string) => ({ kind: 'text' as const, text: { 'zh-TW': zh } })
const option = (o: string, label: string) => ({
  ...{ kind: 'postback' as const, label: { 'zh-TW': label }, data: { v: 1 as const, o } },
})

/** Greets, asks, and says another word for each answer. */
const content: Partial<ScenarioContent> = {
  nodes: [
    { id: 'hello', kind: 'message', messages: [text('您好')] },
    {
      ...{ id: 'ask', kind: 'question', timeoutSeconds: 3_600, saveAs: 'chosen' },
      message: {
        ...{ kind: 'buttons', text: { 'zh-TW': '您要參加嗎？' } },
        actions: [option('yes', '要'), option('no', '不要')],
      },
    },
    { id: 'yes', kind: 'message', messages: [text('已為您登記 {{ chosen }}')] },
    { id: 'no', kind: 'message', messages: [text('期待下次')] },
    { id: 'late', kind: 'message', messages: [text('時間到了')] },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { from: 'hello', to: 'ask' },
    { from: 'ask', to: 'yes', when: { kind: 'option', optionId: 'yes' } },
    { from: 'ask', to: 'no', when: { kind: 'otherwise' } },
    { from: 'ask', to: 'late', when: { kind: 'timeout' } },
    ...['yes', 'no', 'late'].map((from) => ({ from, to: 'end' })),
  ],
}

describe.each([
  ['with runs kept in memory', {}],
  ['with every step replayed', { maxCachedWorkflows: 0 }],
])('the run of a scenario, %s', (_name, options) => {
  let runs: RunsFixture
  beforeAll(async () => {
    runs = await openRuns()
    await setDefaultLimit(runs.db, { scope: 'pool', channel: 'chat', limit: 1_000 })
    await runs.startWorker(options)
  })
  afterAll(() => runs.close())

  async function begin(changed: Partial<ScenarioContent> = {}) {
    const scenario = await insertScenario(runs.db, { content: { ...content, ...changed } })
    const id = await insertScenarioRun(runs.db, { scenario, columns: { node: content.nodes![0]!.id } })
    const { subject_id: subjectId } = await scenarioRunRow(runs.db, id)
    const { address } = await runs.db
      .selectFrom('address')
      .select('address')
      .where('subject_id', '=', subjectId!)
      .executeTakeFirstOrThrow()
    runs.wake('scenario', id, 'started')
    return { id, address }
  }

  const reaches = (id: string, state: object) =>
    eventually(async () => expect(await scenarioRunRow(runs.db, id)).toMatchObject(state))

  /** An event of the chat, stored and worked off. */
  async function happens(address: string, type: string, payload: object) {
    const event = {
      eventId: randomUUID(),
      type,
      address,
      subjectId: null,
      occurredAt: new Date().toISOString(),
    }
    await insertWebhookEvents(runs.db, 'chat', [{ ...event, payload: { type, ...payload }, outcome: null }])
    while (await processNextWebhookEvent({ ...runs.parts, wake: runs.wake }));
    const row = await runs.db
      .selectFrom('webhook_event')
      .select('outcome')
      .where('event_id', '=', event.eventId)
      .executeTakeFirstOrThrow()
    return row.outcome
  }

  const tap = (address: string, id: string, o: string, node = 'ask') =>
    happens(address, 'postback', { postback: { data: JSON.stringify({ v: 1, s: id, m: node, n: '0', o }) } })
  const type = (address: string, words: string) =>
    happens(address, 'message', { message: { type: 'text', text: words } })

  /** What the person saw, in order. */
  async function saidTo(address: string): Promise<string[]> {
    const items = (await runs.chat.journal()).filter(
      ({ to, status }) => to.includes(address) && status === 200,
    )
    return items.flatMap(({ messages }) => messages.map((message) => JSON.stringify(message)))
  }

  it('greets and asks in one turn, hears the answer, and ends', async () => {
    const { id, address } = await begin()
    await reaches(id, { state: 'waiting', node: 'ask' })
    expect(await tap(address, id, '0')).toBe('answered')
    await reaches(id, { state: 'done', node: 'end', answers: { ask: 'yes' } })
    const said = await saidTo(address)
    expect(said).toHaveLength(3)
    expect(said[2]).toContain('已為您登記 yes')
    const turns = await runs.db.selectFrom('turn').selectAll().where('run_id', '=', id).execute()
    expect(turns.map(({ state, by }) => [state, by])).toEqual([
      ['sent', 'push'],
      ['sent', 'push'],
    ])
    const path = await runs.db
      .selectFrom('scenario_step')
      .select('node')
      .where('run_id', '=', id)
      .orderBy('entered_at')
      .execute()
    expect(path.map(({ node }) => node).sort()).toEqual(['ask', 'end', 'hello', 'yes'])
  })

  it('takes a typed option, and the first answer alone', async () => {
    const { id, address } = await begin()
    await reaches(id, { state: 'waiting' })
    expect(await type(address, '不知道')).toBe('unknown_option')
    expect(await type(address, ' 不要 ')).toBe('answered')
    await reaches(id, { state: 'done', answers: { ask: 'no' } })
    expect(await tap(address, id, '1')).toBe('repeated')
    expect(await tap(address, id, '0')).toBe('repeated')
    expect(await scenarioRunRow(runs.db, id)).toMatchObject({ answers: { ask: 'no' } })
  })

  it('leaves by the time-out, and takes no answer after it', async () => {
    const nodes = content.nodes!.map((node) =>
      node.kind === 'question' ? { ...node, timeoutSeconds: 1 } : node,
    )
    const { id, address } = await begin({ nodes })
    await reaches(id, { state: 'done', answers: {} })
    expect((await saidTo(address)).at(-1)).toContain('時間到了')
    expect(await tap(address, id, '0')).toBe('late')
  })

  it('takes no keyword for an answer once it is over', async () => {
    const edges = [...content.edges!, { from: 'ask', to: 'no', when: { kind: 'text' as const } }]
    const { id, address } = await begin({ edges })
    await reaches(id, { state: 'waiting' })
    const { scenario_id } = await scenarioRunRow(runs.db, id)
    const keyword = id.slice(-12)
    await runs.db
      .insertInto('scenario_trigger')
      .values({ trigger: `keyword:${keyword}`, scenario_id })
      .execute()
    await runs.db
      .transaction()
      .execute((trx) => endRuns(trx, { ids: [id] }, { state: 'cancelled', reason: 'cancelled' }))
    expect(await type(address, '不知道')).toBe('late')
    expect(await type(address, keyword)).toBe('started')
  })

  it('ends when the person leaves', async () => {
    const { id, address } = await begin()
    await reaches(id, { state: 'waiting' })
    expect(await type(address, '取消')).toBe('left')
    await reaches(id, { state: 'cancelled', reason: 'left' })
  })

  it('tells nothing to who has blocked the account, and does not wait for their answer', async () => {
    const scenario = await insertScenario(runs.db, { content })
    const id = await insertScenarioRun(runs.db, { scenario, columns: { node: 'hello' } })
    const { subject_id: subjectId } = await scenarioRunRow(runs.db, id)
    await runs.db
      .updateTable('address')
      .set({ blocked_at: new Date() })
      .where('subject_id', '=', subjectId!)
      .execute()
    runs.wake('scenario', id, 'started')
    await reaches(id, { state: 'failed', reason: 'blocked' })
  })
})
