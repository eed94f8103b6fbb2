import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { adapters } from '../../../src/channels/index.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const example = endpoints.simulateContent.bodyExample
const content = { ...example.scenario, categoryId: 'news' }

/** Simulates content that is not stored. */
function simulate(fields: object = {}, scenario: object = {}, as: object = { key: api.keys.a }) {
  const body = { ...example, scenario: { ...content, ...scenario }, ...fields }
  return api.call('simulateContent', { ...as, body })
}

/** The versions of all rows by table: other ones after any write. (Postgres' own counts come late.) */
async function rowVersions() {
  const { db } = api.database
  const tables = await db.introspection.getTables()
  const versions = tables.map(
    ({ name }) => sql`
      select ${name}::text as name, array_agg(concat(tableoid, ctid, xmin) order by tableoid, ctid) as versions
      from ${sql.table(name)}`,
  )
  return (await sql`${sql.join(versions, sql` union all `)}`.execute(db)).rows
}

describe('a simulation of content that is not stored', () => {
  it('answers the way, the texts with variables filled in, and how it ends', async () => {
    const before = await rowVersions()
    const { body } = await simulate()
    expect(body).toEqual({ ...endpoints.simulateContent.answers[200].example })
    expect(await rowVersions()).toEqual(before)
    const { rows } = await sql`select from scenario union all select from scenario_run`.execute(
      api.database.db,
    )
    expect(rows).toEqual([])
  })

  it('waits where nothing is given, and times out with null', async () => {
    expect((await simulate({ answers: {} })).body.ends).toEqual({ waits: 'coming' })
    expect((await simulate({ answers: { coming: null } })).body).toMatchObject({
      ...{ path: ['coming', 'end'], ends: { state: 'done' } },
    })
  })

  it('has a sample person, in the language that is asked for', async () => {
    const text = { 'zh-TW': '{{ person.displayName }} {{ person.locale }} {{ subject.size }}' }
    const nodes = [
      { id: 'a', kind: 'message', messages: [{ kind: 'text', text }] },
      { id: 'end', kind: 'end' },
    ]
    const way = { nodes, edges: [{ from: 'a', to: 'end' }] }
    const textsIn = async (locale: string) =>
      (await simulate({ locale, answers: {} }, way)).body.says[0].messages
    expect(await textsIn('en')).toEqual([{ kind: 'text', text: { 'zh-TW': 'Lin Mei en 36' } }])
    expect(await textsIn('zh-TW')).toEqual([{ kind: 'text', text: { 'zh-TW': '林美 zh-TW 36' } }])
  })

  it('fails where the channel cannot carry what is said', async () => {
    const long = {
      id: 'thanks',
      kind: 'message',
      messages: [{ kind: 'text', text: { 'zh-TW': '長'.repeat(5_001) } }],
    }
    const nodes = content.nodes.map((node) => (node.id === 'thanks' ? long : node))
    const failed = await simulate({}, { nodes })
    expect(failed.body).toMatchObject({
      ...{ path: ['coming', 'thanks'], ends: { state: 'failed', reason: 'content_violation' } },
    })
    const fault = { path: 'nodes[1].messages[0].text.zh-TW', code: 'too_long', limit: 5_000 }
    expect(failed.body.errors).toMatchObject([{ node: 'thanks', faults: [fault] }])
    const empty = { ...long, messages: [{ kind: 'text', text: { 'zh-TW': '{{ nothing }}' } }] }
    const blank = content.nodes.map((node) => (node.id === 'thanks' ? empty : node))
    expect((await simulate({ variables: { name: 'x', nothing: '' } }, { nodes: blank })).body.ends).toEqual({
      ...{ state: 'failed', reason: 'content_violation' },
    })
  })

  it('goes by the next channel of the plan that can carry what is said, as a run does', async () => {
    const long = {
      id: 'thanks',
      kind: 'message',
      messages: [{ kind: 'text', text: { 'zh-TW': '長'.repeat(5_001) } }],
    }
    const nodes = content.nodes.map((node) => (node.id === 'thanks' ? long : node))
    const plan = (channels: string[]) =>
      sql`update category set channel_plan = ${JSON.stringify({ mode: 'first_available', channels })} where id = 'news'`
    await plan(['chat', 'email']).execute(api.database.db)
    api.services.channels.email = adapters.email
    const { body } = await simulate({}, { nodes })
    delete api.services.channels.email
    await plan(['chat']).execute(api.database.db)
    expect(body.says).toMatchObject([
      { node: 'coming', channel: 'chat' },
      { node: 'thanks', channel: 'email' },
    ])
  })

  it('names all problems of its graph at once', async () => {
    const edges = [
      { from: 'coming', to: 'thanks', when: { kind: 'option', optionId: 'perhaps' } },
      { from: 'thanks', to: 'nowhere' },
    ]
    const { code, status, body } = await simulate({}, { edges })
    expect([code, status]).toEqual(['dag_invalid', 400])
    const rules = body.error.details.problems.map(({ rule }: { rule: string }) => rule)
    expect([...new Set(rules)].sort()).toEqual(
      ['missing_edge', 'unknown_node', 'unknown_option', 'unreachable'].sort(),
    )
    const register = [{ id: 'r', kind: 'register' }, ...content.nodes]
    expect((await simulate({}, { nodes: register })).body.error.details.problems).toContainEqual(
      expect.objectContaining({ rule: 'wrong_place', node: 'r' }),
    )
  })

  it('asks for required variables, and fills in the defaults of the others', async () => {
    const { code, body } = await simulate({ variables: {} })
    expect([code, body.error.details]).toEqual(['missing_variable', { variables: ['name'] }])
    const variables = [{ name: 'name', required: false, default: '同學' }]
    expect((await simulate({ variables: undefined }, { variables })).body.variables).toEqual({
      ...{ name: '同學', coming: 'yes' },
    })
  })

  it('refuses input that no node takes, and variables that Carillon fills', async () => {
    const { code, body } = await simulate({ answers: { thanks: 'x', other: 'x' }, lookups: { coming: {} } })
    expect(code).toBe('validation_error')
    expect(body.error.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      ...['answers.thanks', 'answers.other', 'lookups.coming'],
    ])
    expect((await simulate({ variables: { name: 'x', person: {} } })).code).toBe('validation_error')
  })

  it('bounds the answers of Lookups, and where they go, as a run does', async () => {
    const nodes = (url: string) => [
      { id: 'seats', kind: 'lookup', method: 'GET', url, variables: [] },
      { id: 'end', kind: 'end' },
    ]
    const edges = [
      { from: 'seats', to: 'end' },
      { from: 'seats', to: 'end', when: { kind: 'error' } },
    ]
    await api.database.db
      .insertInto('lookup_endpoint')
      .values({ origin: 'https://seats.example.edu', unit_id: api.units.a, created_by: 'key:test' })
      .execute()
    const url = 'https://seats.example.edu/seats'
    const look = (answer: object, at = url) =>
      simulate({ answers: {}, lookups: { seats: answer } }, { nodes: nodes(at), edges })
    expect((await look({ left: 9 })).body).toMatchObject({ variables: { left: 9 }, ends: { state: 'done' } })
    const refusals = [
      [{ text: 'x'.repeat(65_536) }, 'lookups.seats', 'must have at most 64 KiB as JSON'],
      [{ id: 2 ** 53 }, 'lookups.seats.id', 'must not have a number beyond ±(2^53 − 1): give it as a text'],
    ] as const
    for (const [answer, path, message] of refusals) {
      const { status, body } = await look(answer)
      expect([status, body.error.details]).toMatchObject([400, { issues: [{ path, message }] }])
    }
    const elsewhere = await look({ left: 9 }, 'https://elsewhere.example.edu/seats')
    const message = expect.stringContaining('must lead to a registered endpoint')
    expect(elsewhere.body.error.details).toMatchObject({
      issues: [{ path: 'scenario.nodes[0].url', message }],
    })
  })

  it('measures the variables of all Lookups together, as a run does', async () => {
    const look = (id: string) => ({ id, kind: 'lookup', method: 'GET', url, variables: [] })
    const url = 'https://seats.example.edu/seats'
    const nodes = [look('one'), look('two'), { id: 'end', kind: 'end' }]
    const edges = ['one', 'two'].flatMap((from, index) => [
      { from, to: ['two', 'end'][index] },
      { from, to: 'end', when: { kind: 'error' } },
    ])
    const answer = (field: string) => ({ [field]: 'x'.repeat(40_000) })
    const { body } = await simulate(
      { answers: {}, lookups: { one: answer('a'), two: answer('b') } },
      { nodes, edges },
    )
    expect(body).toMatchObject({
      path: ['one', 'two', 'end'],
      errors: [{ node: 'two', reason: 'size', fields: ['b'] }],
      variables: { b: null },
    })
  })

  it('takes as many steps of Liquid as all its texts may have together, and no more', async () => {
    const loop = '{% for a in (1..50) %}{% for b in (1..50) %}{% endfor %}{% endfor %}'
    const messages = [{ kind: 'text', text: { 'zh-TW': `${loop}{{ name }}` } }]
    const slow = Array.from({ length: 199 }, (_, n) => ({ id: `n${n}`, kind: 'message', messages }))
    const nodes = [...slow, { id: 'end', kind: 'end' }]
    const edges = slow.map(({ id }, n) => ({ from: id, to: nodes[n + 1]!.id }))
    const { code, body } = await simulate({ answers: {} }, { nodes, edges })
    expect([code, body.error.details.violations[0].code]).toEqual(['content_violation', 'not_renderable'])
  })

  it('is of the unit and the categories of the caller', async () => {
    const { keys, sessions, units } = api
    expect((await simulate({}, { categoryId: 'nowhere' })).code).toBe('not_found')
    expect((await simulate({}, { categoryId: 'manual' }, { key: keys.restricted })).code).toBe(
      'category_not_allowed',
    )
    expect((await simulate({}, {}, { session: sessions.twoUnits })).code).toBe('unit_required')
    expect((await simulate({ unitId: units.a }, {}, { session: sessions.twoUnits })).code).toBeNull()
    expect((await simulate({}, { categoryId: 'mail' })).code).toBe('not_configured')
    const tag = { id: 't', kind: 'tag', add: ['cohort:2026'] }
    const tagging = { nodes: [tag, { id: 'end', kind: 'end' }], edges: [{ from: 't', to: 'end' }] }
    const input = { answers: {} }
    expect((await simulate(input, tagging)).code).toBe('dag_invalid')
    expect((await simulate(input, tagging, { key: keys.administrative })).body.path).toEqual(['t', 'end'])
  })
})

describe('a simulation of a stored scenario', () => {
  it('is of the newest version, or the one that is named, in any state', async () => {
    const { nodes, edges, variables } = content
    const { id } = await insertScenario(api.database.db, {
      ...{ unitId: api.units.a, categoryId: 'news', state: 'draft' },
    })
    await sql`
      insert into scenario_version (scenario_id, version, state, name, category_id, content, jumps, created_by, authors)
      values (${id}, 2, 'rejected', 'Two', 'news', ${JSON.stringify({ nodes, edges, variables })}, '{"turns": 0, "jumps": []}', 'key:test', '{}')
    `.execute(api.database.db)
    const simulated = (body: object, key = api.keys.a) => api.call('simulateScenario', { key, id, body })
    const { answers, variables: input } = example
    expect((await simulated({ answers, variables: input })).body).toEqual(
      endpoints.simulateScenario.answers[200].example,
    )
    expect((await simulated({ version: 1, answers: { ask: '1' } })).body).toMatchObject({
      ...{ path: ['ask', 'end'], ends: { state: 'done' } },
    })
    const missing = await simulated({ version: 3 })
    expect([missing.code, missing.body.error.message]).toEqual([
      'not_found',
      expect.stringContaining('no version 3'),
    ])
    expect((await simulated({}, api.keys.b)).code).toBe('not_found')
  })

  it('takes the variables that a start would take', async () => {
    const { id } = await insertScenario(api.database.db, { unitId: api.units.a, categoryId: 'news' })
    const input = { variables: { undeclared: 1 }, answers: {} }
    const simulated = () => api.call('simulateScenario', { key: api.keys.a, id, body: input })
    expect((await simulated()).body.error.details.issues).toMatchObject([{ path: 'variables' }])
    await sql`update scenario_version set automatic = true where scenario_id = ${id}`.execute(api.database.db)
    expect((await simulated()).code).toBe(null)
  })

  it('begins anew by a jump to itself, before it is activated', async () => {
    const key = api.keys.a
    const pattern = await api.call('createPattern', {
      key,
      body: newPattern({ capacity: 1, questions: undefined }),
    })
    const played = async (answers: object) => {
      const { body } = await api.call('simulateScenario', {
        key,
        id: pattern.body.scenarioId,
        body: { answers },
      })
      return [body.path.slice(-2), body.ends]
    }
    const anew = { state: 'done', jumpsTo: pattern.body.scenarioId }
    expect(await played({ join: 'no', refuse: 'withdrawn', declined: 'rejoin' })).toEqual([
      ...[['declined', 'again'], anew],
    ])
    const registered = { join: 'yes', take: 'registered', manage: 'withdraw', leave: 'withdrawn' }
    expect(await played({ ...registered, withdrawn: 'rejoin' })).toEqual([['withdrawn', 'again'], anew])
    const [path] = await played({ join: 'no', refuse: 'withdrawn', declined: null })
    expect(path).toEqual(['declined', 'over'])
  })
})
