import { beforeAll, describe, expect, it } from 'vitest'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { endRuns } from '../../../src/db/queries/scenario-run/end.ts'
import {
  askedFor,
  conversation,
  makeConversation,
  tapOption,
  text,
  typeText,
} from '../../fixtures/conversations.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { insertRow, selectRows, updateRows } from '../../fixtures/rows.ts'
import { scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

describe.each([
  ['with runs kept in memory', {}],
  ['with every step replayed', { maxCachedWorkflows: 0 }],
])('the run of a scenario, %s', (_name, options) => {
  const runs = forFile(openRuns)
  beforeAll(async () => {
    await setDefaultLimit(runs.db, { scope: 'pool', channel: 'chat', limit: 1_000 })
    await runs.startWorker(options)
  })

  async function begin(changed: Partial<ScenarioContent> = {}) {
    const { id, address } = await makeConversation(runs, changed)
    runs.wake('scenario', id, [{ name: 'started' }])
    return { id, address }
  }

  const reaches = (id: string, state: object) =>
    eventually(async () => expect(await scenarioRunRow(runs.db, id)).toMatchObject(state))

  const tap = (address: string, id: string, o: string) => tapOption(runs, { id, address }, o)
  const type = (address: string, words: string) => typeText(runs, { address }, words)

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
    const texts = await saidTo(address)
    expect(texts).toHaveLength(3)
    expect(texts[2]).toContain('已為您登記 yes')
    const turns = await runs.db.selectFrom('turn').selectAll().where('run_id', '=', id).execute()
    expect(turns.map(({ state, by }) => [state, by])).toEqual([
      ['sent', 'push'],
      ['sent', 'push'],
    ])
    const path = await selectRows(runs.db, 'scenario_step', { run_id: id }, ['node'], 'entered_at')
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
    const { id, address } = await begin(askedFor(1))
    await reaches(id, { state: 'done', answers: {} })
    expect((await saidTo(address)).at(-1)).toContain('時間到了')
    expect(await tap(address, id, '0')).toBe('late')
  })

  it('takes no keyword for an answer once it is over', async () => {
    const edges = [...conversation.edges, { from: 'ask', to: 'no', when: { kind: 'text' as const } }]
    const { id, address } = await begin({ edges })
    await reaches(id, { state: 'waiting' })
    const { scenario_id } = await scenarioRunRow(runs.db, id)
    const keyword = id.slice(-12)
    await insertRow(runs.db, 'scenario_trigger', { trigger: `keyword:${keyword}`, scenario_id })
    await runs.db
      .transaction()
      .execute((trx) => endRuns(trx, { ids: [id] }, { state: 'cancelled', reason: 'cancelled' }))
    expect(await type(address, '不知道')).toBe('late')
    expect(await type(address, keyword)).toBe('started')
  })

  it('says that it cannot go on to who has begun it, and to nobody else', async () => {
    const nodes = [{ id: 'hi', kind: 'message' as const, messages: [text('{{ nmae }}')] }]
    const broken = {
      nodes: [...nodes, { id: 'end', kind: 'end' as const }],
      edges: [{ from: 'hi', to: 'end' }],
    }
    const theirs = await makeConversation(runs, broken)
    await updateRows(runs.db, 'scenario_run', { id: theirs.id }, { spoke_at: new Date() })
    const others = await begin(broken)
    runs.wake('scenario', theirs.id, [{ name: 'started' }])
    for (const { id } of [theirs, others]) await reaches(id, { state: 'failed', reason: 'missing_variable' })
    expect(await saidTo(theirs.address)).toEqual([expect.stringContaining('目前出了點問題')])
    expect(await saidTo(others.address)).toEqual([])
    expect(await brokenInvariants(runs.db)).toEqual([])
  })

  it('ends when the person leaves', async () => {
    const { id, address } = await begin()
    await reaches(id, { state: 'waiting' })
    expect(await type(address, '取消')).toBe('left')
    await reaches(id, { state: 'cancelled', reason: 'left' })
  })

  it('tells nothing to who has blocked the account, and does not wait for their answer', async () => {
    const { id } = await makeConversation(runs)
    const { subject_id: subjectId } = await scenarioRunRow(runs.db, id)
    await updateRows(runs.db, 'address', { subject_id: subjectId! }, { blocked_at: new Date() })
    runs.wake('scenario', id, [{ name: 'started' }])
    await reaches(id, { state: 'failed', reason: 'blocked' })
  })
})
