import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { settleLookup } from '../../../src/activities/scenario/look-up.ts'
import { adapters } from '../../../src/channels/index.ts'
import { listAnswers, listRuns } from '../../../src/db/queries/scenario-run/records.ts'
import { fieldsOfAnswer } from '../../../src/domain/scenario/lookup-answer.ts'
import { traceRun } from '../../../src/services/trace/run.ts'
import { startApi } from '../../fixtures/api.ts'
import { walkOn } from '../../fixtures/patterns.ts'
import { renderingOn } from '../../fixtures/rendering.ts'
import { insertRow, insertRows } from '../../fixtures/rows.ts'
import { type InsertedScenario, insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const yes = '{"kind":"option","optionId":"yes"}'

describe('the runs of a scenario', () => {
  let scenario: InsertedScenario
  /** Oldest first: done with s1, who answered; waiting with s2; cancelled with s3. */
  let ids: string[]
  const api = forFile(startApi)
  beforeAll(async () => {
    const { db } = api.database
    scenario = await insertScenario(db, { unitId: api.units.a })
    const people = await Promise.all(['s1', 's2', 's3'].map(subjectId))
    ids = []
    const ended = { closed_at: '2026-12-01T02:00:00Z', node: 'end' }
    const columns = [
      { ...ended, state: 'done' as const, variables: '{"course":"微積分"}' },
      { state: 'waiting' as const, deadline: '2026-12-02T01:00:00Z' },
      {
        ...ended,
        node: 'ask',
        state: 'cancelled' as const,
        reason: 'restarted',
        started_by: `recipient:${people[2]}`,
      },
    ]
    for (const [at, one] of columns.entries())
      ids.push(await insertScenarioRun(db, { scenario, subjectId: people[at]!, columns: one }))
    const [done, waiting, cancelled] = ids
    const at = '2026-12-01T01:00:00Z'
    await insertRows(db, 'scenario_step', [
      { run_id: done!, node: 'end', entered_at: at },
      { run_id: done!, node: 'ask', entered_at: at, left_at: at, edge: yes, to_node: 'end' },
      { run_id: waiting!, node: 'ask', entered_at: at },
      { run_id: cancelled!, node: 'ask', entered_at: at },
    ])
    await insertRow(db, 'scenario_answer', { run_id: done!, node: 'ask', option_id: 'yes', at })
    const says = JSON.stringify([{ node: 'ask', messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }] }])
    await insertRow(db, 'turn', {
      ...{ run_id: done!, number: 1, first_node: 'ask', last_node: 'ask', subject_id: people[0]! },
      ...{ unit_id: api.units.a, answers_person: false, locale: 'zh-TW', says, state: 'sent', by: 'push' },
      ...{ channel: 'chat', closed_at: at },
    })
    await insertRows(db, 'scenario_count', [
      { scenario_id: scenario.id, version: 1, node: 'ask', edge: '', count: 40 },
      { scenario_id: scenario.id, version: 1, node: 'ask', edge: yes, count: 30 },
    ])
  })

  async function subjectId(uid: string): Promise<string> {
    const query = api.database.db.selectFrom('subject').select('id').where('uid', '=', uid)
    return (await query.executeTakeFirstOrThrow()).id
  }
  const runs = async (query: Record<string, string | string[]> = {}, key = api.keys.individual) =>
    (await api.call('listScenarioRuns', { key, id: scenario.id, query })).body
  const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)

  it('are listed newest first, page by page', async () => {
    const first = await runs({ limit: '2' })
    const second = await runs({ limit: '2', cursor: first.nextCursor })
    expect([...idsOf(first), ...idsOf(second)]).toEqual([...ids].reverse())
    expect(second.nextCursor).toBeNull()
    expect(second.items[0]).toEqual({
      ...{ id: ids[0], scenarioId: scenario.id, version: 1, subjectId: await subjectId('s1'), uid: 's1' },
      ...{ state: 'done', reason: null, node: 'end', problem: null, deadline: null, test: false },
      startedBy: { id: 'key:test', name: 'key:test' },
      startedAt: expect.stringMatching(/Z$/),
      endedAt: '2026-12-01T02:00:00.000Z',
    })
  })

  it('are filtered by state, node, version and person', async () => {
    expect(idsOf(await runs({ state: 'waiting' }))).toEqual([ids[1]])
    expect(idsOf(await runs({ state: ['done', 'cancelled'] }))).toEqual([ids[2], ids[0]])
    expect(idsOf(await runs({ node: 'ask' }))).toEqual([ids[2], ids[1]])
    expect(idsOf(await runs({ version: '2' }))).toEqual([])
    expect(idsOf(await runs({ uid: 's2' }))).toEqual([ids[1]])
    expect(idsOf(await runs({ uid: 'nobody' }))).toEqual([])
  })

  it('name nobody to callers who may not read about people', async () => {
    const { items } = await runs({}, api.keys.a)
    for (const run of items) expect(Object.keys(run)).not.toEqual(expect.arrayContaining(['uid']))
    expect(items[0].startedBy).toEqual({ id: 'recipient:', name: 'Recipient' })
    expect(JSON.stringify(items)).not.toContain(await subjectId('s3'))
    const by = { key: api.keys.a, id: scenario.id, query: { uid: 's1' } }
    expect((await api.call('listScenarioRuns', by)).code).toBe('forbidden')
    expect((await api.call('listScenarioRuns', { ...by, query: { node: 'end' } })).code).toBe('forbidden')
    const places = items.map(({ node, deadline }: { node?: string; deadline?: string }) => ({
      node,
      deadline,
    }))
    expect(places).toEqual([
      { node: 'ask', deadline: null },
      { node: 'ask', deadline: '2026-12-02T01:00:00.000Z' },
      { node: undefined, deadline: undefined }, // at the end, by what they answered
    ])
    const editor = { session: api.sessions.editor, id: scenario.id }
    expect((await api.call('listScenarioRuns', editor)).body.items[0]).not.toHaveProperty('uid')
    const approver = { session: api.sessions.approver, id: scenario.id }
    expect((await api.call('listScenarioRuns', approver)).body.items[0]).toMatchObject({ uid: 's3' })
    expect((await api.call('listScenarioRuns', { key: api.keys.b, id: scenario.id })).code).toBe('not_found')
  })

  it('list what they said to a person, without texts, for keys of administrative units', async () => {
    const { db } = api.database
    const page = (uid: string, query = {}, key = api.keys.administrative) =>
      api.call('listSubjectTurns', { key, id: uid, query })
    const { body } = await page('s1')
    expect(body.items).toEqual([
      {
        ...{ id: expect.any(String), runId: ids[0], scenarioId: scenario.id, unitId: api.units.a },
        ...{
          handoffId: null,
          categoryId: scenario.categoryId,
          number: 1,
          firstNode: 'ask',
          lastNode: 'ask',
          state: 'sent',
        },
        ...{ reason: null, channel: 'chat', by: 'push', firstTryAt: null, nextTryAt: null },
        createdAt: expect.stringMatching(/Z$/),
        closedAt: '2026-12-01T01:00:00.000Z',
      },
    ])
    await insertRow(db, 'turn', {
      ...{ run_id: ids[0]!, number: 2, first_node: 'end', last_node: 'end', unit_id: api.units.a },
      ...{ subject_id: await subjectId('s1'), answers_person: false, locale: 'zh-TW' },
    })
    const first = (await page('s1', { limit: '1' })).body
    const second = (await page('s1', { limit: '1', cursor: first.nextCursor })).body
    expect([first.items[0].number, second.items[0].number, second.nextCursor]).toEqual([2, 1, null])
    await db.deleteFrom('turn').where('number', '=', 2).execute()
    expect((await page('s2')).body.items).toEqual([])
    expect((await page('s1', {}, api.keys.individual)).code).toBe('identity_api_forbidden')
    expect((await page('nobody-at-all')).code).toBe('not_found')
  })

  it('are audited with the one who read about their people', async () => {
    await runs({ uid: 's1' })
    await runs({}, api.keys.a)
    const query = { objectKind: 'scenario', objectId: scenario.id }
    const { items } = (await api.call('listAudit', { session: api.sessions.approver, query })).body
    expect(items[0]).toMatchObject({
      ...{ action: 'read', by: { id: `key:${api.keys.individual.split('_')[1]}` } },
      details: { what: 'runs', subjectId: await subjectId('s1') },
    })
    const unnamed = (await api.call('listAudit', { session: api.sessions.editor, query })).body
    expect(unnamed.items[0].details).toEqual({ what: 'runs' })
  })

  it('show their path, what they said, and what they heard', async () => {
    const [id] = ids
    const { body } = await api.call('getRun', { key: api.keys.individual, id: id! })
    expect(body).toMatchObject({
      ...{ id, uid: 's1', purged: false, variables: { course: '微積分' } },
      path: [
        { node: 'ask', edge: yes, to: 'end', leftAt: '2026-12-01T01:00:00.000Z' },
        { node: 'end', edge: null, to: null, leftAt: null },
      ],
      turns: [{ number: 1, state: 'sent', by: 'push', channel: 'chat', says: [{ node: 'ask' }] }],
      answers: [{ node: 'ask', optionId: 'yes', text: null, data: null, at: '2026-12-01T01:00:00.000Z' }],
    })
    const read = (await api.call('getRun', { session: api.sessions.editor, id: id! })).body
    for (const field of ['uid', 'subjectId', 'variables', 'answers']) expect(read).not.toHaveProperty(field)
    expect(read.turns[0]).not.toHaveProperty('says')
    expect(read).not.toHaveProperty('node')
    expect(read.path).toEqual([{ ...body.path[0], edge: null, to: null, leftAt: null }])
    for (const other of [
      { key: api.keys.b, id: id! },
      { key: api.keys.a, id: randomUUID() },
    ])
      expect((await api.call('getRun', other)).code).toBe('not_found')
    const query = { objectKind: 'scenario_run', objectId: id! }
    const { items } = (await api.call('listAudit', { session: api.sessions.approver, query })).body
    expect(items).toMatchObject([{ details: { what: 'run', subjectId: await subjectId('s1') } }])
  })

  it('say why a jump took its edge for errors, as a simulation does', async () => {
    const { db } = api.database
    const paused = await insertScenario(db, { unitId: api.units.a, state: 'paused' })
    const nodes = [
      { id: 'on', kind: 'jump' as const, scenarioId: paused.id },
      { id: 'end', kind: 'end' as const },
    ]
    const edges = [{ from: 'on', to: 'end', when: { kind: 'error' as const } }]
    const leading = await insertScenario(db, { unitId: api.units.a, content: { nodes, edges } })
    const id = await insertScenarioRun(db, { scenario: leading, columns: { node: 'on' } })
    await walkOn(api.services, id)
    const why = [{ node: 'on', reason: 'not_active', faults: [] }]
    const key = api.keys.a
    expect((await api.call('getRun', { key, id })).body).toMatchObject({ state: 'done', errors: why })
    const simulated = await api.call('simulateScenario', { key, id: leading.id, body: { answers: {} } })
    expect(simulated.body.errors).toEqual(why)
  })

  it('name the fields of an answer that could not be kept, and went on with the others', async () => {
    const { db } = api.database
    const url = 'https://orders.example.edu/orders'
    await db
      .insertInto('lookup_endpoint')
      .values({ origin: 'https://orders.example.edu', unit_id: api.units.a, created_by: 'key:test' })
      .execute()
    const nodes = [
      { id: 'ask', kind: 'lookup' as const, method: 'GET' as const, url, variables: [] },
      { id: 'end', kind: 'end' as const },
    ]
    const edges = [
      { from: 'ask', to: 'end' },
      { from: 'ask', to: 'end', when: { kind: 'error' as const } },
    ]
    const asking = await insertScenario(db, { unitId: api.units.a, content: { nodes, edges } })
    const answered = async (answer: Record<string, unknown>, variables: object = {}) => {
      const columns = { node: 'ask', variables: JSON.stringify(variables) }
      const about = { scenario: asking, subjectId: await subjectId('s3'), columns }
      const id = await insertScenarioRun(db, about)
      await insertRow(db, 'lookup', { run_id: id, node: 'ask', outcome: 'found', ended_at: new Date() })
      const { fields, refused } = fieldsOfAnswer(answer)
      await db
        .transaction()
        .execute((trx) =>
          settleLookup(trx, id, 'ask', { outcome: 'found', fields, dropped: refused.length, refused }),
        )
      await walkOn(api.services, id)
      const { body } = await api.call('getRun', { session: api.sessions.approver, id })
      return { state: body.state, errors: body.errors, variables: body.variables, edge: body.path[0].edge }
    }
    const half = 'x'.repeat(40_000)
    const [shape, size] = ['shape', 'size'].map((reason) => ({ node: 'ask', reason, faults: [] }))
    expect(await answered({ card: 2 ** 60, one: half, two: half, three: 3, uid: 'b1' }, { old: 1 })).toEqual({
      state: 'done',
      edge: 'plain',
      variables: { old: 1, card: null, one: half, two: null, three: 3, lookup: { uid: 'b1' } },
      errors: [
        { ...shape, fields: ['card'] },
        { ...size, fields: ['two'] },
      ],
    })
    expect(await answered({ large: half, small: 1 }, { old: half })).toMatchObject({
      variables: { old: half, large: null, small: 1 },
      errors: [{ ...size, fields: ['large'] }],
    })
    const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => ['n'.repeat(100) + n, 1]))
    expect(await answered(names)).toEqual({
      state: 'done',
      edge: '{"kind":"error"}',
      variables: {},
      errors: [size],
    })
  })

  it('name the texts that could not be said, until the person is erased', async () => {
    const { db } = api.database
    const text = (zh: string, en: string) => [{ kind: 'text' as const, text: { 'zh-TW': zh, en } }]
    const nodes = [
      { id: 'hello', kind: 'message' as const, messages: text('您好', '{{ order.total }}') },
      { id: 'bye', kind: 'message' as const, messages: text('{{ long }}', 'Bye') },
    ]
    const plan = {
      unitId: api.units.a,
      content: { nodes, edges: [{ from: 'hello', to: 'bye', when: { kind: 'error' as const } }] },
    }
    const failing = await insertScenario(db, plan)
    const columns = {
      ...{
        state: 'failed' as const,
        reason: 'content_violation',
        node: 'bye',
        closed_at: '2026-12-01T02:00:00Z',
      },
      variables: JSON.stringify({ order: {}, long: '長'.repeat(5_001) }),
    }
    const subject = await subjectId('s1')
    const id = await insertScenarioRun(db, { scenario: failing, subjectId: subject, columns })
    const left = { left_at: '2026-12-01T01:00:00Z', edge: '{"kind":"error"}', to_node: 'bye' }
    await insertRows(db, 'scenario_step', [
      { run_id: id, node: 'hello', entered_at: '2026-12-01T01:00:00Z', ...left },
      { run_id: id, node: 'bye' },
    ])
    const read = async () => (await api.call('getRun', { key: api.keys.a, id })).body.errors
    expect(await read()).toMatchObject([
      {
        ...{ node: 'hello', reason: 'missing_variable' },
        faults: [{ path: 'nodes[0].messages[0].text.en', code: 'missing_variable', variable: 'order.total' }],
      },
      {
        ...{ node: 'bye', reason: 'content_violation' },
        faults: [{ path: 'nodes[1].messages[0].text.zh-TW', code: 'too_long', limit: 5_000 }],
      },
    ])
    const trace = (await traceRun(
      { db, channels: adapters, rendering: renderingOn(db) },
      'operator:cli',
      id,
    ))!
    expect(trace.map((entry) => entry.text.en)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Left hello by error \(missing_variable\) for bye\. nodes\[0\]\.messages\[0\]\.text\.en: The variable order\.total /,
        ),
        expect.stringMatching(
          /^The run ended at bye: failed \(content_violation\)\. nodes\[1\]\.messages\[0\]\.text\.zh-TW \(chat\): .*5000/,
        ),
      ]),
    )
    await db.updateTable('scenario_run').set({ subject_id: null }).where('id', '=', id).execute()
    expect(await read()).toEqual([
      { node: 'hello', reason: null, faults: [] },
      { node: 'bye', reason: 'content_violation', faults: [] },
    ])
  })

  it('are counted by node, with those that are past retention', async () => {
    const { body } = await api.call('summariseScenarioRuns', { key: api.keys.a, id: scenario.id })
    expect(body).toEqual({
      versions: [
        {
          version: 1,
          nodes: {
            ask: { here: 1, entered: 43, left: { [yes]: 31 } },
            end: { here: 0, entered: 1, left: {} },
          },
        },
      ],
    })
    const query = { version: '2' }
    const other = await api.call('summariseScenarioRuns', { key: api.keys.a, id: scenario.id, query })
    expect(other.body).toEqual({ versions: [] })
    expect((await api.call('summariseScenarioRuns', { key: api.keys.b, id: scenario.id })).code).toBe(
      'not_found',
    )
  })

  it('have answers, for those who may read about people', async () => {
    const answers = async (query: Record<string, string> = {}) =>
      (await api.call('listScenarioAnswers', { key: api.keys.individual, id: scenario.id, query })).body.items
    expect(await answers()).toEqual([
      {
        ...{ runId: ids[0], version: 1, subjectId: await subjectId('s1'), uid: 's1' },
        ...{ node: 'ask', optionId: 'yes', text: null, data: null, at: '2026-12-01T01:00:00.000Z' },
      },
    ])
    const matching: Record<string, string>[] = [
      { node: 'ask' },
      { optionId: 'yes' },
      { version: '1' },
      { uid: 's1' },
    ]
    for (const query of matching) expect(await answers(query), JSON.stringify(query)).toHaveLength(1)
    const others: Record<string, string>[] = [
      { node: 'q' },
      { optionId: 'no' },
      { version: '2' },
      { uid: 's2' },
      { uid: 'x' },
    ]
    for (const query of others) expect(await answers(query), JSON.stringify(query)).toHaveLength(0)
    for (const as of [{ key: api.keys.a }, { session: api.sessions.editor }])
      expect((await api.call('listScenarioAnswers', { ...as, id: scenario.id })).code).toBe('forbidden')
    const approver = { session: api.sessions.approver, id: scenario.id }
    expect((await api.call('listScenarioAnswers', approver)).body.items).toHaveLength(1)
    expect((await api.call('listScenarioAnswers', { key: api.keys.b, id: scenario.id })).code).toBe(
      'not_found',
    )
    const cursor = Buffer.from('nonsense').toString('base64url')
    const bad = { key: api.keys.individual, id: scenario.id, query: { cursor } }
    expect((await api.call('listScenarioAnswers', bad)).code).toBe('validation_error')
  })
})

describe('a scenario with 10,000 runs', () => {
  const people = 10_000
  let scenario: InsertedScenario
  const database = forFile(freshDatabase)
  beforeAll(async () => {
    const { db } = database
    scenario = await insertScenario(db)
    const another = await insertScenario(db)
    for (const { id, unitId } of [another, scenario])
      await sql`
        with person as (
          insert into subject (uid) select ${id} || n from generate_series(1, ${people}::integer) as n returning id
        )
        insert into scenario_run (scenario_id, version_number, unit_id, subject_id, started_by, node, state, closed_at)
        select ${id}, 1, ${unitId}, id, 'key:k', 'end', 'done', now() from person
      `.execute(db)
    await sql`
      insert into scenario_answer (run_id, node, option_id) select id, 'ask', 'yes' from scenario_run`.execute(
      db,
    )
    await sql`analyze scenario_run, scenario_answer, subject`.execute(db)
  })

  /** How many rows of a table `work` reads, by index and otherwise. */
  async function rowsRead(table: string, work: (db: FreshDatabase['db']) => Promise<unknown[]>) {
    return database.db.transaction().execute(async (trx) => {
      const read = async () => {
        const { rows } = await sql<{ byIndex: number; otherwise: number }>`
          select coalesce(idx_tup_fetch, 0)::integer as "byIndex", seq_tup_read::integer as otherwise
          from pg_stat_xact_user_tables where relname = ${table}`.execute(trx)
        return rows[0]!
      }
      const before = await read()
      expect((await work(trx)).length).toBeGreaterThan(0)
      const after = await read()
      return { byIndex: after.byIndex - before.byIndex, otherwise: after.otherwise - before.otherwise }
    })
  }
  const aPage = { byIndex: expect.toSatisfy((rows: number) => rows <= 110), otherwise: 0 }

  it('is read page by page from an index: no page reads more than its own rows', async () => {
    const page = await listRuns(database.db, scenario.id, {}, { after: null, limit: people / 2 })
    const [first, middle] = [page[0]!, page.at(-1)!]
    for (const after of [null, middle.id])
      expect(
        await rowsRead('scenario_run', (db) => listRuns(db, scenario.id, {}, { after, limit: 51 })),
      ).toEqual(aPage)
    const { subjectId } = first
    expect(
      await rowsRead('scenario_run', (db) =>
        listRuns(db, scenario.id, { subjectId: subjectId! }, { after: null, limit: 51 }),
      ),
    ).toEqual(aPage)
  })

  it('has answers that are read in the same way', async () => {
    const page = await listRuns(database.db, scenario.id, {}, { after: null, limit: people / 2 })
    for (const after of [null, { runId: page.at(-1)!.id, node: 'ask' }])
      for (const table of ['scenario_run', 'scenario_answer', 'subject'])
        expect(
          await rowsRead(table, (db) => listAnswers(db, scenario.id, {}, { after, limit: 51 })),
          table,
        ).toEqual(aPage)
  })
})
