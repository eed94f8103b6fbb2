import { randomUUID } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import type { Action } from '../../../src/contract/messages/content.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { observeRun } from '../../../src/db/queries/scenario-run/observe-run.ts'
import type { ScenarioRunTable } from '../../../src/db/tables/scenario.ts'
import { answersOf } from '../../fixtures/conversations.ts'
import { insertChatPerson } from '../../fixtures/handoffs.ts'
import { insertRow, selectRow, updateRows } from '../../fixtures/rows.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  scenarioRunRow,
} from '../../fixtures/scenario-rows.ts'
import { event, postback, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

let chat: string
let subjectId: string
const api = forFile(startWebhookApi)
beforeEach(async () => {
  await api.database.db.deleteFrom('scenario_trigger').execute()
  ;({ address: chat, subjectId } = await insertChatPerson(api.database.db))
})

const label = { 'zh-TW': '選項' }
const yes: Action = { kind: 'postback', label: { 'zh-TW': '是' }, data: { v: 1, o: 'yes' } }
const no: Action = { kind: 'postback', label: { 'zh-TW': '否' }, data: { v: 1, o: 'no' } }

/** A question with these buttons, that also takes texts. */
function asking(...actions: Action[]): Partial<ScenarioContent> {
  const message = { kind: 'buttons' as const, text: label, actions }
  return {
    nodes: [
      { id: 'ask', kind: 'question', message, timeoutSeconds: 3_600 },
      { id: 'end', kind: 'end' },
    ],
    edges: (['otherwise', 'text', 'timeout'] as const).map((kind) => ({
      from: 'ask',
      to: 'end',
      when: { kind },
    })),
  }
}

const scenarioOf = (content: Partial<ScenarioContent>) =>
  insertScenario(api.database.db, { unitId: api.units.a, content })
const runOf = (scenario: InsertedScenario, columns: Partial<Insertable<ScenarioRunTable>> = {}) =>
  insertScenarioRun(api.database.db, { scenario, subjectId, columns })

/** Tells the person the question of a run, so many seconds ago; `pending`: its outcome is not written yet. */
async function tell(scenario: InsertedScenario, runId: string, secondsAgo = 1, pending = false) {
  const at = new Date(Date.now() - secondsAgo * 1_000)
  const { content } = await selectRow(api.database.db, 'scenario_version', { scenario_id: scenario.id }, [
    'content',
  ])
  const node = content.nodes[0]!
  const says = [{ node: node.id, messages: node.kind === 'question' ? [node.message] : [] }]
  await insertRow(api.database.db, 'turn', {
    ...{
      run_id: runId,
      number: 1,
      subject_id: subjectId,
      unit_id: scenario.unitId,
      says: JSON.stringify(says),
    },
    ...{ first_node: node.id, last_node: node.id, channel: 'chat', by: 'push', answers_person: false },
    ...{ locale: 'zh-TW', tries: 1, retry_key: randomUUID(), created_at: at, first_try_at: at },
    ...(pending ? { state: 'pending', unclear: true } : { state: 'sent', closed_at: at }),
  })
}

const type = (text: string) => event('message', chat, { message: { type: 'text', id: '1', text } })
const tapOf = (runId: string, o: string) => postback(chat, { v: 1, s: runId, m: 'ask', n: '0', o })
const lastOutcome = async () => (await api.outcomes()).at(-1)

async function runAtQuestion(content = asking(yes, no), columns: Partial<Insertable<ScenarioRunTable>> = {}) {
  const scenario = await scenarioOf(content)
  const id = await runOf(scenario, columns)
  await tell(scenario, id)
  return { scenario, id }
}

async function runsOf({ id }: InsertedScenario) {
  const rows = api.database.db.selectFrom('scenario_run').selectAll()
  return rows.where('scenario_id', '=', id).where('subject_id', '=', subjectId).orderBy('id').execute()
}

async function newGroup(parentId: string | null = null): Promise<string> {
  const group = { unit_id: api.units.a, name: randomUUID(), kind: 'static', legal_basis: 'consent' } as const
  const insert = api.database.db.insertInto('subject_group').values({ ...group, parent_id: parentId })
  return (await insert.returning('id').executeTakeFirstOrThrow()).id
}

describe('what a person says', () => {
  it('counts in the order of the webhook that brings it', async () => {
    for (const [first, second] of [
      ['0', '1'],
      ['1', '0'],
    ] as const) {
      const { id } = await runAtQuestion()
      await api.happens(tapOf(id, first), tapOf(id, second), type('是'), type('否'))
      expect(await answersOf(api.database.db, id)).toEqual([first === '0' ? 'yes' : 'no'])
      expect((await api.outcomes()).slice(-4)).toContain('answered')
    }
  })

  it('with a button of a run that is past retention is told that it is over', async () => {
    const { id } = await runAtQuestion(asking(yes), { state: 'done', closed_at: new Date() })
    const runs = api.database.db.updateTable('scenario_run').where('id', '=', id)
    await runs.set({ subject_id: null }).execute()
    const tapped = () => ({ ...tapOf(id, '0'), replyToken: randomUUID() })
    await api.happens(tapped())
    expect(await lastOutcome()).toBe('wrong_recipient')
    await runs.set({ purged_at: new Date() }).execute()
    await api.happens(tapped())
    const last = api.database.db.selectFrom('webhook_event').select(['outcome', 'reply_used_at'])
    expect(await last.orderBy('id', 'desc').executeTakeFirst()).toEqual({
      outcome: 'late',
      reply_used_at: expect.any(Date),
    })
  })

  it('is an answer as soon as the question was sent, before its outcome is known', async () => {
    const scenario = await scenarioOf(asking(yes, no))
    const id = await runOf(scenario)
    await tell(scenario, id, 1, true)
    await api.happens(type('法律系'))
    expect([await lastOutcome(), await answersOf(api.database.db, id)]).toEqual(['answered', ['法律系']])
  })

  it('in time keeps its question open until it is applied, wherever the address has gone', async () => {
    const { id } = await runAtQuestion(asking(yes, no), {
      state: 'waiting',
      deadline: new Date(Date.now() - 1_000),
    })
    const observed = async () => (await observeRun(api.database.db, id))!.facts.pendingEvents
    expect(await observed()).toBe(false)
    const { db } = api.database
    const stored = { channel: 'chat', event_id: randomUUID(), type: 'message', payload: '{}' } as const
    const at = new Date(Date.now() - 2_000)
    await db
      .insertInto('webhook_event')
      .values({ ...stored, address: chat, subject_id: subjectId, received_at: at, occurred_at: at })
      .execute()
    expect(await observed()).toBe(true)
    await db.deleteFrom('address').where('subject_id', '=', subjectId).execute()
    expect(await observed()).toBe(true)
    await updateRows(db, 'webhook_event', { address: chat }, { done_at: new Date(), outcome: 'late' })
    expect(await observed()).toBe(false)
  })

  it('that is no option is told so while its question is open, whatever was told since', async () => {
    const early = await scenarioOf(asking(yes, no))
    await tell(early, await runOf(early), 90_000)
    await api.happens(type('法律系'))
    expect(await lastOutcome()).toBe('unknown_option')
    const news = await scenarioOf({
      nodes: [
        { id: 'hello', kind: 'message', messages: [{ kind: 'text', text: label }] },
        { id: 'end', kind: 'end' },
      ],
      edges: [{ from: 'hello', to: 'end' }],
    })
    await tell(news, await runOf(news, { node: 'hello' }), 60)
    await api.happens(type('法律系'))
    expect(await lastOutcome()).toBe('unknown_option')
  })

  it('is an answer to the earlier question that is open where the later one is over', async () => {
    const early = await scenarioOf(asking(yes, no))
    const id = await runOf(early)
    await tell(early, id, 60)
    const later = await runAtQuestion(asking(no), { state: 'done', closed_at: new Date(), node: 'end' })
    await api.happens(type('法律系'))
    expect(await lastOutcome()).toBe('late') // the text field of the later one
    await api.database.db
      .updateTable('scenario_version')
      .set({ content: sql`jsonb_set(content, '{edges}', '[]')` })
      .where('scenario_id', '=', later.scenario.id)
      .execute()
    await api.happens(type('法律系'))
    expect(await lastOutcome()).toBe('unknown_option')
    await api.happens(type('否'))
    expect([await lastOutcome(), await answersOf(api.database.db, id)]).toEqual(['late', []])
    await api.happens(type('是'))
    expect([await lastOutcome(), await answersOf(api.database.db, id)]).toEqual(['answered', ['yes']])
  })

  it('to leave ends the conversation that spoke last, though another began later', async () => {
    const { id } = await runAtQuestion()
    const silent = await runOf(await scenarioOf(asking(yes)))
    await api.happens(type('取消'))
    expect(await lastOutcome()).toBe('left')
    const states = await Promise.all([id, silent].map((run) => scenarioRunRow(api.database.db, run)))
    expect(states).toMatchObject([{ state: 'cancelled', reason: 'left' }, { state: 'running' }])
    await api.happens(type('取消'))
    expect(await scenarioRunRow(api.database.db, silent)).toMatchObject({ state: 'cancelled' })
    await api.happens(type('取消'))
    expect(await lastOutcome()).toBe('late')
  })
})

describe('what a person types', () => {
  it.each(['是。', '「是」', '是\u200B', ' 是！', '＂是＂'])(
    'names an option as it is meant: %s',
    async (text) => {
      const { id } = await runAtQuestion()
      await api.happens(type(text))
      expect([await lastOutcome(), await answersOf(api.database.db, id)]).toEqual(['answered', ['yes']])
    },
  )

  it('is stored as it was typed', async () => {
    const { id } = await runAtQuestion()
    await api.happens(type('“ 臺北。 ”'))
    expect(await answersOf(api.database.db, id)).toEqual(['“ 臺北。 ”'])
  })

  it.each(['取消。', '「取消」', 'Cancel!', 'ＳＴＯＰ', '退\u200B出'])(
    'leaves before it answers: %s',
    async (text) => {
      const { id } = await runAtQuestion()
      await api.happens(type(text))
      expect([await lastOutcome(), await answersOf(api.database.db, id)]).toEqual(['left', []])
      expect(await scenarioRunRow(api.database.db, id)).toMatchObject({ state: 'cancelled', reason: 'left' })
    },
  )

  it('does not leave where an option has the same word, but does once its question is over', async () => {
    const cancel: Action = { kind: 'postback', label: { 'zh-TW': '取消' }, data: { v: 1, o: 'no' } }
    const { id } = await runAtQuestion(asking(yes, cancel))
    await api.happens(type('取消。'))
    expect([await lastOutcome(), await answersOf(api.database.db, id)]).toEqual(['answered', ['no']])
    await api.happens(type('取消'))
    expect(await scenarioRunRow(api.database.db, id)).toMatchObject({ state: 'cancelled', reason: 'left' })
  })

  it('leaves though the id of an option is the word, since ids are never shown', async () => {
    const go: Action = { kind: 'postback', label: { 'zh-TW': '去' }, data: { v: 1, o: 'stop' } }
    await runAtQuestion(asking(go))
    await api.happens(type('stop'))
    expect(await lastOutcome()).toBe('left')
  })
})

describe('a button that starts a scenario', () => {
  it('begins its own scenario anew, at any age', async () => {
    const scenario = await scenarioOf(asking(yes))
    const again = asking({ kind: 'jumpScenario', label, scenarioId: scenario.id })
    await api.database.db
      .updateTable('scenario_version')
      .set({ content: JSON.stringify(again) })
      .where('scenario_id', '=', scenario.id)
      .execute()
    const id = await runOf(scenario)
    await tell(scenario, id)
    await api.happens(tapOf(id, '0'))
    expect(await lastOutcome()).toBe('started')
    expect(await runsOf(scenario)).toMatchObject([
      { id, state: 'cancelled', reason: 'restarted' },
      { state: 'running', spoke_at: expect.any(Date) },
    ])
    await api.happens(tapOf(id, '0'))
    expect(await runsOf(scenario)).toHaveLength(2)
  })

  it('does nothing but end a test, whose other buttons do nothing either', async () => {
    const other = await scenarioOf(asking(yes))
    const groupId = await newGroup()
    const buttons = asking(
      { kind: 'mute', label, categoryId: 'advice' },
      { kind: 'addToGroup', label, groupId },
      { kind: 'jumpScenario', label, scenarioId: other.id },
    )
    const { id } = await runAtQuestion(buttons, { test: true, occasion: 'test' })
    await api.happens(tapOf(id, '0'), tapOf(id, '1'))
    const { db } = api.database
    const ofPerson = (table: 'preference' | 'group_member') =>
      db.selectFrom(table).selectAll().where('subject_id', '=', subjectId).execute()
    expect([await ofPerson('preference'), await ofPerson('group_member')]).toEqual([[], []])
    await api.happens(tapOf(id, '2'))
    expect(await scenarioRunRow(db, id)).toMatchObject({ state: 'done' })
    expect(await runsOf(other)).toEqual([])
  })
})

describe('a keyword', () => {
  async function keyword(scenario: InsertedScenario): Promise<void> {
    const row = { trigger: 'keyword:tour', scenario_id: scenario.id }
    await api.database.db.insertInto('scenario_trigger').values(row).execute()
  }

  it('of a scenario that takes nobody is told so', async () => {
    const scenario = await scenarioOf(asking(yes))
    await keyword(scenario)
    const paused = api.database.db.updateTable('scenario').set({ state: 'paused' })
    await paused.where('id', '=', scenario.id).execute()
    await api.happens(type('Tour'))
    expect([await lastOutcome(), await runsOf(scenario)]).toEqual(['not_active', []])
  })

  it.each(['“Tour!”', 'tour\u200B', '《TOUR》', ' ｔｏｕｒ。'])('starts as it is meant: %s', async (text) => {
    const scenario = await scenarioOf(asking(yes))
    await keyword(scenario)
    await api.happens(type(text))
    expect([await lastOutcome(), await runsOf(scenario)]).toMatchObject(['started', [{ state: 'running' }]])
  })

  it('begins again once the question is over that has it as an option', async () => {
    const tour: Action = { kind: 'postback', label: { 'zh-TW': 'Tour' }, data: { v: 1, o: 'yes' } }
    const { scenario, id } = await runAtQuestion(asking(tour))
    await keyword(scenario)
    await api.happens(type('tour'))
    expect([await lastOutcome(), await answersOf(api.database.db, id)]).toEqual(['answered', ['yes']])
    const ends = api.database.db.updateTable('scenario_run').set({ state: 'done', closed_at: new Date() })
    await ends.where('id', '=', id).execute()
    await api.happens(type('tour'))
    expect([await lastOutcome(), await runsOf(scenario)]).toMatchObject([
      'started',
      [{ id, state: 'done' }, { state: 'running' }],
    ])
  })

  it('is not needed where a scenario answers what nothing else takes, once an hour', async () => {
    const other = await scenarioOf(asking(yes))
    const row = { trigger: 'otherwise', scenario_id: other.id }
    await api.database.db.insertInto('scenario_trigger').values(row).execute()
    const { id } = await runAtQuestion()
    await api.happens(event('message', chat, { message: { type: 'sticker', id: '1' } }))
    expect([await lastOutcome(), await runsOf(other)]).toEqual(['unsupported', []])
    const runs = api.database.db.updateTable('scenario_run')
    const ends = () =>
      runs
        .set({ state: 'done', closed_at: new Date() })
        .where('subject_id', '=', subjectId)
        .where('closed_at', 'is', null)
        .execute()
    await ends()
    await runs
      .set({ closed_at: new Date(Date.now() - 2 * 86_400_000) })
      .where('id', '=', id)
      .execute()
    await api.happens(event('message', chat, { message: { type: 'sticker', id: '1' } }))
    expect([await lastOutcome(), await runsOf(other)]).toMatchObject(['started', [{ state: 'running' }]])
    await api.happens(type('嗨？'))
    expect(await lastOutcome()).toBe('recorded')
    await ends()
    await api.happens(type('嗨'))
    expect([await lastOutcome(), await runsOf(other)]).toMatchObject(['recorded', [{ state: 'done' }]])
    const hourAgo = new Date(Date.now() - 3_601_000)
    await runs.set({ created_at: hourAgo }).where('scenario_id', '=', other.id).execute()
    await api.happens(type('嗨'))
    expect([await lastOutcome(), (await runsOf(other)).length]).toEqual(['started', 2])
  })

  it('leaves the open run as it is where no other can begin', async () => {
    const scenario = await scenarioOf(asking(yes))
    await keyword(scenario)
    const id = await runOf(scenario, { created_at: new Date(Date.now() - 61_000) })
    const asks = api.database.db.updateTable('category').set({ consent_scope: 'admission' })
    await asks.where('id', '=', scenario.categoryId).execute()
    await api.happens(type('tour'))
    expect([await lastOutcome(), await runsOf(scenario)]).toMatchObject([
      'not_active',
      [{ id, state: 'running' }],
    ])
    const free = api.database.db.updateTable('category').set({ consent_scope: null })
    await free.where('id', '=', scenario.categoryId).execute()
    await api.happens(type('tour'))
    expect(await runsOf(scenario)).toMatchObject([{ id, state: 'cancelled' }, { state: 'running' }])
  })
})

describe('a jump', () => {
  /** A scenario that goes on in another at once, or takes its error edge. */
  const leadingTo = (scenarioId: string): Partial<ScenarioContent> => ({
    nodes: [
      { id: 'on', kind: 'jump', scenarioId },
      { id: 'sorry', kind: 'end' },
    ],
    edges: [{ from: 'on', to: 'sorry', when: { kind: 'error' } }],
  })
  const advance = (id: string) => advanceRun({ ...api.services, wake: () => {} }, id)

  async function automatic(scenario: InsertedScenario, most: number): Promise<void> {
    const id = `auto-${randomUUID()}`
    const { db } = api.database
    await insertRow(db, 'category', {
      ...{ id, name: '{"zh-TW":"自動"}', layer: 'service', auto_max_recipients: most },
      channel_plan: '{"mode":"all","channels":["chat"]}',
    })
    const set = { automatic: true, category_id: id }
    await db.updateTable('scenario_version').set(set).where('scenario_id', '=', scenario.id).execute()
  }

  it('is by the person if they spoke, and by whoever began the chain if not', async () => {
    const target = await scenarioOf(asking(yes))
    const origin = await scenarioOf(leadingTo(target.id))
    const spoke = new Date(Date.now() - 5_000)
    await advance(await runOf(origin, { node: 'on', started_by: `recipient:${subjectId}`, spoke_at: spoke }))
    const [own] = await runsOf(target)
    expect(own).toMatchObject({ started_by: `recipient:${subjectId}`, spoke_at: spoke, jumps: 1 })
    await advance(await runOf(origin, { node: 'on', started_by: 'key:other' }))
    expect(await runsOf(target)).toHaveLength(1)
    await api.database.db.deleteFrom('scenario_run').where('scenario_id', '=', target.id).execute()
    await advance(await runOf(origin, { node: 'on', started_by: 'key:other' }))
    expect(await runsOf(target)).toMatchObject([{ started_by: 'key:other', spoke_at: null, jumps: 1 }])
  })

  it('does not come back to a scenario through which it has come since they spoke', async () => {
    const one = await scenarioOf(asking(yes))
    const other = await scenarioOf(leadingTo(one.id))
    const content = JSON.stringify({ ...asking(yes), ...leadingTo(other.id) })
    await updateRows(api.database.db, 'scenario_version', { scenario_id: one.id }, { content })
    const first = await runOf(one, { node: 'on', spoke_at: new Date(), jumped_through: [one.id] })
    await advance(first)
    const [second] = await runsOf(other)
    await advance(second!.id)
    expect(await scenarioRunRow(api.database.db, second!.id)).toMatchObject({ state: 'done', node: 'sorry' })
    expect([await runsOf(one), await runsOf(other)].flat()).toHaveLength(2)
  })

  it('enters what no person approved only for as many as others may reach', async () => {
    const target = await scenarioOf(asking(yes))
    await automatic(target, 1)
    const elsewhere = await insertScenarioRun(api.database.db, { scenario: target })
    const origin = await scenarioOf(leadingTo(target.id))
    const refused = await runOf(origin, { node: 'on', started_by: 'key:other' })
    await advance(refused)
    expect(await scenarioRunRow(api.database.db, refused)).toMatchObject({ state: 'done', node: 'sorry' })
    expect(await runsOf(target)).toEqual([])
    const own = await runOf(origin, { node: 'on', spoke_at: new Date() })
    await advance(own)
    expect(await runsOf(target)).toHaveLength(1)
    expect(await scenarioRunRow(api.database.db, elsewhere)).toMatchObject({ state: 'running' })
  })

  it('takes its error edge where the person has not consented to the other category', async () => {
    const target = await scenarioOf(asking(yes))
    await automatic(target, 100)
    const { db } = api.database
    const category = db
      .selectFrom('scenario_version')
      .select('category_id')
      .where('scenario_id', '=', target.id)
    await db.updateTable('category').set({ consent_scope: 'alumni' }).where('id', '=', category).execute()
    const id = await runOf(await scenarioOf(leadingTo(target.id)), { node: 'on', spoke_at: new Date() })
    await advance(id)
    expect(await scenarioRunRow(db, id)).toMatchObject({ state: 'done', node: 'sorry' })
  })
})

describe('a node that adds to a group', () => {
  it('takes its error edge where the person is not in the parent, unless they were added on the way', async () => {
    const { db } = api.database
    const parent = await newGroup()
    const child = await newGroup(parent)
    const joining = (...groups: string[]): Partial<ScenarioContent> => ({
      nodes: [
        ...groups.map((groupId, at) => ({ id: `join${at}`, kind: 'addToGroup' as const, groupId })),
        { id: 'end', kind: 'end' },
        { id: 'sorry', kind: 'end' },
      ],
      edges: groups.flatMap((_, at) => [
        { from: `join${at}`, to: at + 1 < groups.length ? `join${at + 1}` : 'end' },
        { from: `join${at}`, to: 'sorry', when: { kind: 'error' as const } },
      ]),
    })
    const ends = async (...groups: string[]) => {
      const id = await runOf(await scenarioOf(joining(...groups)), { node: 'join0' })
      await advanceRun({ ...api.services, wake: () => {} }, id)
      return (await scenarioRunRow(db, id)).node
    }
    expect(await ends(child)).toBe('sorry')
    expect(await ends(parent, child)).toBe('end')
    const members = db.selectFrom('group_member').select('group_id').where('subject_id', '=', subjectId)
    expect(await members.execute()).toHaveLength(2)
  })
})
