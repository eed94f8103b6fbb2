import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findScenarioInForce } from '../../../src/db/queries/scenario/scenario.ts'
import { sendNextNotice } from '../../../src/services/notices/send.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { publicUrl, sendNotices } from '../../fixtures/notice-mails.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
beforeAll(async () => {
  await sql`insert into member (unit_id, person_id, role)
    select ${api.units.a}, id, 'approver' from person where name = 'Two units'`.execute(api.database.db)
})
afterEach(async () => {
  const { db } = api.database
  await sql`delete from scenario_run`.execute(db)
  await sql`delete from scenario`.execute(db)
  await sql`delete from lookup_endpoint`.execute(db)
  await sql`update unit set kind = 'ordinary' where id = ${api.units.a}`.execute(db)
})

const byKey = (): CallOptions => ({ key: api.keys.a })
const by = (who: 'editor' | 'approver' | 'twoUnits' | 'otherApprover'): CallOptions => ({
  session: api.sessions[who],
})
const create = (parts: object = {}, as = byKey()) =>
  api.call('createScenario', { ...as, body: { ...newScenario(), ...parts } })
const createScenario = async (parts: object = {}, as = byKey()): Promise<string> =>
  (await create(parts, as)).body.id
const put = (id: string, body: object, as = byKey(), headers?: Record<string, string>) =>
  api.call('putScenario', { ...as, id, body, ...(headers && { headers }) })
const read = async (id: string) => (await api.call('getScenario', { ...byKey(), id })).body
/** Decides about the newest version unless `body` names another. */
const approve = async (id: string, as = by('approver'), body?: object) =>
  api.call('approveScenario', { ...as, id, body: body ?? { version: (await read(id)).version } })
const reject = async (id: string, as = by('approver')) =>
  api.call('rejectScenario', { ...as, id, body: { version: (await read(id)).version, reason: '缺英文' } })
const inForce = (id: string) => findScenarioInForce(api.database.db, id)
const waiting = async (parts: object = {}, as = byKey()) => {
  const id = await createScenario({ categoryId: 'manual', ...parts }, as)
  await put(id, { state: 'active' }, as)
  return id
}
const triggers = async () =>
  (
    await sql<{ trigger: string }>`select trigger from scenario_trigger order by 1`.execute(api.database.db)
  ).rows.map(({ trigger }) => trigger)

const text = (zh: string, en?: string) => ({ kind: 'text', text: { 'zh-TW': zh, ...(en && { en }) } })
const says = (...messages: object[]) => ({
  nodes: [
    { id: 'say', kind: 'message', messages },
    { id: 'over', kind: 'end' },
  ],
  edges: [{ from: 'say', to: 'over' }],
})
const through = (node: object, ...edges: object[]) => ({
  nodes: [
    { id: 'it', ...node },
    { id: 'over', kind: 'end' },
  ],
  edges: [{ from: 'it', to: 'over' }, ...edges],
})

describe('a scenario', () => {
  it('is saved as a draft with its author, and listed by its unit without what it says', async () => {
    const { status, body } = await create({ description: '導覽' }, by('editor'))
    expect([status, body]).toMatchObject([
      201,
      {
        state: 'draft',
        canStart: false,
        version: 1,
        versionState: 'draft',
        inForce: null,
        description: '導覽',
      },
    ])
    expect(await read(body.id)).toMatchObject({ nodes: newScenario().nodes, author: { name: 'Editor' } })
    const list = (query: object) => api.call('listScenarios', { ...byKey(), query: { ...query } })
    const { items } = (await list({})).body
    expect(items).toMatchObject([{ id: body.id, name: 'Campus tour', state: 'draft' }])
    const { nodes, edges } = newScenario()
    expect(items[0]).toMatchObject({ nodes, edges })
    const [summary] = (await list({ fields: 'summary' })).body.items
    for (const field of ['nodes', 'edges', 'variables']) expect(summary).not.toHaveProperty(field)
    expect(items[0]).toMatchObject(summary)
    expect((await list({ state: 'active' })).body.items).toEqual([])
    expect((await list({ categoryId: 'manual' })).body.items).toEqual([])
    expect((await api.call('getScenario', { key: api.keys.b, id: body.id })).code).toBe('not_found')
    expect((await api.call('listScenarios', { key: api.keys.b })).body.items).toEqual([])
  })

  it('names every problem of its graph at once', async () => {
    const { code, body } = await create({
      nodes: [
        { id: 'a', kind: 'message', messages: [text('一')] },
        { id: 'b', kind: 'branch' },
        { id: 'c', kind: 'tag', add: ['staff:lead'] },
      ],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a', when: { kind: 'otherwise' } },
        { from: 'b', to: 'nowhere', when: { kind: 'exists', variable: 'x' } },
        { from: 'c', to: 'a' },
      ],
    })
    expect(code).toBe('dag_invalid')
    const problems = body.error.details.problems.map(
      ({ rule, node, edge }: { rule: string; node?: string; edge?: { to: string } }) =>
        `${rule} ${node ?? edge?.to}`,
    )
    expect(problems).toEqual(['wrong_place c', 'unknown_node nowhere', 'cycle a', 'cycle b', 'unreachable c'])
    expect(body.error.details.problems[0].message).toEqual({
      'zh-TW': expect.any(String),
      en: expect.any(String),
    })
  })

  it('of an administrative unit may set tags of any namespace, and start with a follow', async () => {
    const tagging = through({ kind: 'tag', add: ['staff:lead'] })
    expect((await create(tagging)).code).toBe('dag_invalid')
    expect((await create({ triggers: { follow: true } })).code).toBe('forbidden')
    await sql`update unit set kind = 'administrative' where id = ${api.units.a}`.execute(api.database.db)
    expect((await create(tagging)).status).toBe(201)
    expect((await create({ triggers: { follow: true } })).status).toBe(201)
  })

  it('looks up only at endpoints that are registered for its unit or for all', async () => {
    const lookup = through(
      { kind: 'lookup', method: 'GET', url: 'https://sis.example.edu/seats', variables: [] },
      { from: 'it', to: 'over', when: { kind: 'error' } },
    )
    const { code, body } = await create(lookup)
    expect([code, body.error.details.issues]).toMatchObject([
      'validation_error',
      [
        {
          path: 'nodes[0].url',
          message:
            'must lead to a registered endpoint; ask a system administrator to register https://sis.example.edu',
        },
      ],
    ])
    const register = (unit: string | null) =>
      sql`insert into lookup_endpoint (origin, unit_id, created_by)
      values ('https://sis.example.edu', ${unit}, 'person:x')`.execute(api.database.db)
    await register(api.units.b)
    expect((await create(lookup)).code).toBe('validation_error')
    await register(api.units.a)
    expect((await create(lookup)).status).toBe(201)
  })

  it('has keywords that people can type, and none by which they leave or ask for settings', async () => {
    const issues = async (...keywords: string[]) =>
      (await create({ triggers: { keywords } })).body.error?.details.issues.map(
        ({ path }: { path: string }) => path,
      )
    expect(await issues('取消', 'tour', ' Ｓtop', '\u200b', '\u2060 \u00ad', '設定。')).toEqual([
      'triggers.keywords[0]',
      'triggers.keywords[2]',
      'triggers.keywords[3]',
      'triggers.keywords[4]',
      'triggers.keywords[5]',
    ])
    expect(await issues('取消報名')).toBeUndefined()
  })

  it.each(['hello', ' ＨＥＬＬＯ! ', '客服', '？'])(
    'leaves the word “%s” to administrative units',
    async (word) => {
      const triggers = { keywords: ['tour', word] }
      const refused = await create({ triggers })
      expect(refused.code).toBe('forbidden')
      expect(refused.body.error.message).toContain(
        `“${word.trim()}”: people write that to the whole institution`,
      )
      const id = await createScenario()
      const { name, categoryId, nodes, edges } = newScenario()
      expect((await put(id, { name, categoryId, nodes, edges, triggers })).code).toBe('forbidden')
      const { db } = api.database
      await sql`update unit set kind = 'administrative' where id = ${api.units.a}`.execute(db)
      expect((await create({ triggers })).status).toBe(201)
      await sql`update unit set kind = 'ordinary' where id = ${api.units.a}`.execute(db)
    },
  )

  it('waits at most a year ahead', async () => {
    const issues = async (until: string) =>
      (await create(through({ kind: 'wait', until }))).body.error?.details.issues
    expect(await issues('9999-12-31T23:59:59Z')).toMatchObject([
      { path: 'nodes[0].until', message: 'must be at most 366 days ahead' },
    ])
    expect(await issues(new Date(Date.now() + 365 * 86_400_000).toISOString())).toBeUndefined()
  })

  it('names only groups, categories and scenarios that exist in its unit', async () => {
    const foreign = (
      await api.call('createGroup', {
        key: api.keys.b,
        body: { name: 'Theirs', kind: 'static', legalBasis: 'consent' },
      })
    ).body.id
    const label = { 'zh-TW': '好' }
    const unknown = { kind: 'jumpScenario', label, scenarioId: 'none' }
    const buttons = { kind: 'buttons', text: { 'zh-TW': '選' }, actions: [unknown] }
    const parts = {
      nodes: [
        { id: 'group', kind: 'addToGroup', groupId: foreign },
        { id: 'say', kind: 'message', messages: [text('一'), buttons] },
        { id: 'on', kind: 'jump', scenarioId: '01939a2e-0000-7000-8000-00000000dead' },
      ],
      edges: [
        { from: 'group', to: 'say' },
        { from: 'say', to: 'on' },
      ],
    }
    const { code, body } = await create(parts)
    expect(code).toBe('content_violation')
    const places = body.error.details.violations.map(({ path, code }: { path: string; code: string }) => [
      path,
      code,
    ])
    expect(places).toEqual([
      ['nodes[0].groupId', 'unknown_reference'],
      ['nodes[2].scenarioId', 'unknown_reference'],
      ['nodes[1].messages[1].actions[0].scenarioId', 'unknown_reference'],
    ])
    const other = await createScenario()
    expect((await create(through({ kind: 'jump', scenarioId: other }))).code).toBe('dag_invalid')
    const jump = { nodes: [{ id: 'on', kind: 'jump', scenarioId: other }], edges: [] }
    expect((await create(jump)).status).toBe(201)
  })

  it('is refused for an unknown category, a key without it, a variable listed twice or a mandatory category muted', async () => {
    expect((await create({ categoryId: 'none' })).code).toBe('not_found')
    expect((await create({ categoryId: 'manual' }, { key: api.keys.restricted })).code).toBe(
      'category_not_allowed',
    )
    const { code, body } = await create({ variables: [{ name: 'a' }, { name: 'a' }] })
    expect([code, body.error.details.issues[0].path]).toEqual(['validation_error', 'variables[1].name'])
    const mute = { kind: 'mute', label: { 'zh-TW': '關' }, categoryId: 'fixed' }
    await sql`insert into category (id, name, layer, channel_plan) select 'fixed', name, 'mandatory', channel_plan
      from category where id = 'news'`.execute(api.database.db)
    const muting = await create(says({ kind: 'buttons', text: { 'zh-TW': '選' }, actions: [mute] }))
    expect([muting.code, muting.body.error.details.issues[0].path]).toEqual([
      'fixed_category',
      'nodes[0].messages[0].actions[0].categoryId',
    ])
  })
})

describe('a change', () => {
  it('with other content makes a new version, and with the same content none', async () => {
    const id = await createScenario()
    const body = newScenario()
    expect((await put(id, Object.fromEntries(Object.entries(body).reverse()))).body.version).toBe(1)
    const { body: changed } = await put(id, { ...body, name: 'Other' }, by('editor'))
    expect(changed).toMatchObject({ version: 2, name: 'Other', author: { name: 'Editor' } })
    const { items } = (await api.call('listScenarioVersions', { ...byKey(), id })).body
    expect(items.map((one: { versionState: string }) => one.versionState)).toEqual(['draft', 'replaced'])
  })

  it('names the whole content or none of it', async () => {
    const id = await createScenario()
    const issues = async (body: object) => (await put(id, body)).body.error?.details.issues
    expect(await issues({ name: 'Only' })).toMatchObject([
      { path: 'categoryId' },
      { path: 'nodes' },
      { path: 'edges' },
    ])
    expect(await issues({})).toMatchObject([{ path: '' }])
  })

  it.each([
    ['alone', () => ({})],
    ['with a pause', () => ({ state: 'paused' })],
    ['with the retirement', () => ({ state: 'retired' })],
    ['with the retirement and the whole content', () => ({ ...newScenario(), state: 'retired' })],
  ])('takes no farewell %s, and says where it belongs', async (_, rest) => {
    const id = await createScenario()
    const { status, body } = await put(id, { ...rest(), farewell: { 'zh-TW': '請點 https://phish.example' } })
    expect([status, body.error.details.issues]).toMatchObject([
      400,
      [
        {
          path: 'farewell',
          message: expect.stringContaining('it is part of the content, and approved with it'),
        },
      ],
    ])
    expect(await read(id)).toMatchObject({ version: 1, state: 'draft' })
  })

  it('may repeat its unit, and names no other', async () => {
    const id = await createScenario({ unitId: api.units.a }, by('twoUnits'))
    const own = await put(id, { unitId: api.units.a.toUpperCase(), state: 'active' }, by('twoUnits'))
    expect(own.status).toBe(200)
    const other = await put(id, { unitId: api.units.b, state: 'paused' }, by('twoUnits'))
    expect(other.body.error.details.issues).toMatchObject([{ path: 'unitId' }])
    expect((await read(id)).paused).toBe(false)
  })

  it('with If-Match is refused once there is a newer version', async () => {
    const id = await createScenario()
    const other = { ...newScenario(), name: 'Other' }
    expect((await put(id, other, byKey(), { 'if-match': '"1"' })).status).toBe(200)
    const late = await put(id, { ...other, name: 'Late' }, byKey(), { 'if-match': '1' })
    expect([late.code, late.body.error.details.state]).toEqual(['invalid_transition', 'draft'])
  })
})

describe('activation', () => {
  it('in an automatic category is in force at once, without a person’s approval', async () => {
    const id = await createScenario()
    const { body } = await put(id, { state: 'active' })
    expect(body).toMatchObject({
      ...{ state: 'active', canStart: true, inForce: 1, autoApproved: true, reason: null },
      decision: { by: { id: 'system:auto' } },
    })
    expect(await inForce(id)).toMatchObject({
      id,
      unitId: api.units.a,
      state: 'active',
      version: 1,
      autoApproved: true,
    })
    expect((await put(id, { state: 'active' })).body).toEqual(body)
  })

  it('waits for an approver in another category, while the version in force goes on', async () => {
    const id = await createScenario()
    await put(id, { state: 'active' })
    const { status, body } = await put(id, { ...newScenario({ categoryId: 'manual' }), state: 'active' })
    expect([status, body]).toMatchObject([
      200,
      { state: 'submitted', reason: 'category_not_auto', canStart: true, inForce: 1, version: 2 },
    ])
    expect(await inForce(id)).toMatchObject({ version: 1, categoryId: 'news' })
    expect((await approve(id, by('approver'), { version: 2 })).body).toMatchObject({
      ...{ state: 'active', inForce: 2, autoApproved: false, reason: null },
      decision: { by: { name: 'Approver' } },
    })
    expect(await inForce(id)).toMatchObject({ version: 2, autoApproved: false, categoryId: 'manual' })
  })

  it('with triggers waits in every category, and claims them once it is approved', async () => {
    const id = await createScenario({ triggers: { keywords: ['導覽', ' ＴＯＵＲ ', 'tour'] } })
    expect((await put(id, { state: 'active' })).body).toMatchObject({
      state: 'submitted',
      reason: 'has_triggers',
    })
    expect(await triggers()).toEqual([])
    await approve(id)
    expect(await triggers()).toEqual(['keyword:tour', 'keyword:導覽'])
    await put(id, { state: 'paused' })
    expect(await triggers()).toHaveLength(2)
    await put(id, { ...newScenario(), state: 'active' })
    expect([await triggers(), (await inForce(id))?.autoApproved]).toEqual([[], true])
  })

  it('is refused with triggers for a required variable, which nobody gives; without them it warns', async () => {
    const who = { name: 'who', required: true }
    const id = await createScenario({ triggers: { keywords: ['誰'] }, variables: [who] })
    const refused = await put(id, { state: 'active' })
    expect([refused.code, refused.body.error.details.issues]).toMatchObject([
      'validation_error',
      [{ path: 'variables[0].required' }],
    ])
    expect(await triggers()).toEqual([])
    const withDefault = await createScenario({
      ...{ triggers: { keywords: ['誰'] }, variables: [{ ...who, default: '同學' }] },
    })
    expect((await put(withDefault, { state: 'active' })).body).toMatchObject({
      state: 'submitted',
      warnings: [],
    })
    const called = await createScenario({ variables: [who] })
    expect((await put(called, { state: 'active' })).body).toMatchObject({
      ...{ state: 'active', warnings: [{ path: 'variables[0]', code: 'not_given_by_people' }] },
    })
  })

  it('is refused for a trigger that another scenario of any unit has, also to who approved it first', async () => {
    const parts = { triggers: { keywords: ['導覽'] } }
    const [first, second] = [
      await createScenario(parts),
      await createScenario({ triggers: { keywords: ['參觀', '導覽'] } }),
    ]
    await put(first, { state: 'active' })
    await put(second, { state: 'active' })
    await approve(first)
    const verdict = (await api.call('getScenario', { ...by('approver'), id: second })).body.allowed.approve
    const late = await approve(second)
    expect([late.code, late.body.error.details]).toEqual([
      'invalid_transition',
      { state: 'bound', by: null, at: null },
    ])
    expect(verdict.message).toBe(late.body.error.message)
    expect(verdict.message).toContain('starts with “導覽”.')
    const foreign = await createScenario(parts, { key: api.keys.b })
    expect((await put(foreign, { state: 'active' }, { key: api.keys.b })).code).toBe('invalid_transition')
    await put(first, { state: 'retired' })
    expect((await approve(second)).status).toBe(200)
  })

  it('claims a trigger once, though two are approved at the same moment', async () => {
    const parts = { triggers: { keywords: ['導覽'] } }
    const ids = [await createScenario(parts), await createScenario(parts)]
    for (const id of ids) await put(id, { state: 'active' })
    const answers = await Promise.all(ids.map((id) => approve(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await triggers()).toEqual(['keyword:導覽'])
  })

  it('parses Liquid and measures what each channel can carry; variables are judged later', async () => {
    const invalid = await put(await createScenario(says(text('{{ day'))), { state: 'active' })
    expect([invalid.code, invalid.body.error.details.issues[0].path]).toEqual([
      'validation_error',
      'nodes[0].messages[0].text.zh-TW',
    ])
    const long = await put(await createScenario(says(text('長'.repeat(5_001)))), { state: 'active' })
    expect([long.code, long.body.error.details.violations[0]]).toMatchObject([
      'content_violation',
      { path: 'nodes[0].messages[0].text.zh-TW', code: 'too_long' },
    ])
    const open = says(text(`{{ words }}${'長'.repeat(4_000)}`), text('{% if a %}{{ b }}{% endif %}'))
    expect((await put(await createScenario(open), { state: 'active' })).body.state).toBe('active')
  })

  it('is refused, by approval as well, while the category is disabled, and then nothing starts', async () => {
    const enable = (enabled: boolean) =>
      sql`update category set enabled = ${enabled} where id = 'manual'`.execute(api.database.db)
    const [started, id, draft] = [
      await waiting(),
      await waiting(),
      await createScenario({ categoryId: 'manual' }),
    ]
    await approve(started)
    await enable(false)
    const verdict = (await api.call('getScenario', { ...by('approver'), id })).body.allowed
    const [refused, activation] = [await approve(id), await put(draft, { state: 'active' })]
    const after = await read(started)
    const { items } = (await api.call('listScenarios', byKey())).body
    await enable(true)
    expect([refused.code, refused.body.error.details.state]).toEqual(['invalid_transition', 'disabled'])
    expect(verdict).toEqual({
      approve: {
        allowed: false,
        code: 'invalid_transition',
        message: refused.body.error.message,
        reason: 'category_disabled',
      },
      reject: { allowed: true },
    })
    expect(activation.code).toBe('validation_error')
    expect(after).toMatchObject({ state: 'active', canStart: false, inForce: 1 })
    expect(items.map(({ canStart }: { canStart: boolean }) => canStart)).toEqual([false, false, false])
    expect((await read(started)).canStart).toBe(true)
  })

  it('warns of ways to scenarios that are not active, until they are', async () => {
    const other = await createScenario()
    const button = { kind: 'jumpScenario', label: { 'zh-TW': '去' }, scenarioId: other }
    const id = await createScenario({
      nodes: [
        {
          id: 'say',
          kind: 'message',
          messages: [{ kind: 'buttons', text: { 'zh-TW': '選' }, actions: [button] }],
        },
        { id: 'on', kind: 'jump', scenarioId: other },
      ],
      edges: [{ from: 'say', to: 'on' }],
    })
    const { body } = await put(id, { state: 'active' })
    expect([body.state, body.warnings]).toMatchObject([
      'active',
      [
        { path: 'nodes[1].scenarioId', code: 'scenario_not_active' },
        { path: 'nodes[0].messages[0].actions[0].scenarioId', code: 'scenario_not_active' },
      ],
    ])
    await put(other, { state: 'active' })
    expect((await read(id)).warnings).toEqual([])
  })

  it('warns of options that are words by which people leave', async () => {
    const asks = (label: object, optionId: string) =>
      createScenario({
        nodes: [
          {
            ...{ id: 'ask', kind: 'question', timeoutSeconds: 60 },
            message: { kind: 'quickReply', text: { 'zh-TW': '來嗎？' }, options: [{ id: optionId, label }] },
          },
          { id: 'over', kind: 'end' },
        ],
        edges: [
          { from: 'ask', to: 'over', when: { kind: 'otherwise' } },
          { from: 'ask', to: 'over', when: { kind: 'timeout' } },
        ],
      })
    for (const [label, optionId, codes] of [
      [{ 'zh-TW': '取消' }, 'no', ['option_leaves']],
      [{ 'zh-TW': '不去', en: ' ＳＴＯＰ ' }, 'no', ['option_leaves']],
      [{ 'zh-TW': '「取消」。' }, 'no', ['option_leaves']],
      [{ 'zh-TW': '不去' }, 'Cancel', []],
      [{ 'zh-TW': '取消報名' }, 'no', []],
    ] as const) {
      const id = await asks(label, optionId)
      const simulated = await api.call('simulateScenario', { ...byKey(), id, body: {} })
      const activated = await put(id, { state: 'active' })
      for (const { warnings } of [await read(id), simulated.body, activated.body])
        expect(warnings.map(({ code }: { code: string }) => code)).toEqual(codes)
    }
  })

  it('warns of questions that cannot be answered by mail', async () => {
    const question = {
      nodes: [
        { id: 'ask', kind: 'question', message: text('您的姓名？'), timeoutSeconds: 60 },
        { id: 'over', kind: 'end' },
      ],
      edges: [
        { from: 'ask', to: 'over', when: { kind: 'text' } },
        { from: 'ask', to: 'over', when: { kind: 'timeout' } },
      ],
    }
    const id = await createScenario(question)
    expect((await read(id)).warnings).toEqual([])
    await sql`update category set channel_plan = '{"mode": "all", "channels": ["chat", "email"]}' where id = 'news'`.execute(
      api.database.db,
    )
    const { warnings } = await read(id)
    await sql`update category set channel_plan = '{"mode": "all", "channels": ["chat"]}' where id = 'news'`.execute(
      api.database.db,
    )
    expect(warnings).toMatchObject([{ path: 'nodes[0].message', code: 'no_answer_by_mail' }])
  })
})

describe('a decision', () => {
  it('is for an approver who wrote and submitted no part of the version', async () => {
    const id = await waiting({ unitId: api.units.a }, by('twoUnits'))
    expect((await approve(id, byKey())).code).toBe('forbidden')
    expect((await approve(id, by('editor'))).code).toBe('forbidden')
    expect((await approve(id, by('otherApprover'))).code).toBe('not_found')
    expect((await approve(id, by('twoUnits'))).code).toBe('self_approval')
    expect((await approve(id, by('approver'), { version: 2 })).code).toBe('invalid_transition')
    expect((await approve(id)).status).toBe(200)
    expect((await approve(id)).code).toBe('invalid_transition')
  })

  it('is not for who asked for the activation of another one’s version', async () => {
    const id = await createScenario({ categoryId: 'manual' })
    await put(id, { state: 'active' }, by('twoUnits'))
    expect((await approve(id, by('twoUnits'))).code).toBe('self_approval')
  })

  it('rejects with a reason; asked for again, it is another version', async () => {
    const id = await waiting()
    expect((await reject(id)).body).toMatchObject({
      ...{ state: 'draft', versionState: 'rejected', inForce: null, reason: null },
      decision: { by: { name: 'Approver' }, reason: '缺英文' },
    })
    expect((await put(id, { state: 'active' })).body).toMatchObject({ state: 'submitted', version: 2 })
  })

  it('is not about a version that has been changed since', async () => {
    const id = await waiting()
    await put(id, { ...newScenario({ categoryId: 'manual' }), name: 'Other', state: 'active' })
    const late = await approve(id, by('approver'), { version: 1 })
    expect([late.code, late.body.error.details.state]).toEqual(['invalid_transition', 'submitted'])
  })

  it('names the version that the approver was shown', async () => {
    const id = await waiting()
    for (const [operation, body] of [
      ['approveScenario', {}],
      ['rejectScenario', { reason: '缺英文' }],
    ] as const) {
      const { code, body: answer } = await api.call(operation, { ...by('approver'), id, body })
      expect([code, answer.error.details.issues]).toMatchObject([
        'validation_error',
        [{ path: 'version', message: expect.stringContaining('GET /v1/scenarios/{id}') }],
      ])
    }
    expect((await api.call('approveScenario', { ...by('approver'), id })).code).toBe('validation_error')
    expect(await read(id)).toMatchObject({ versionState: 'submitted' })
  })

  it('is asked for by mail, of approvers other than the authors, until the version is decided', async () => {
    await sql`delete from notice`.execute(api.database.db)
    const id = await waiting({ unitId: api.units.a }, by('twoUnits'))
    const mails = await sendNotices(sendNextNotice, api.services)
    expect(mails).toHaveLength(1)
    const mail = contentFor(mails[0]!.content)
    expect(String(mail.text)).toContain(`${publicUrl}/approvals/scenario/${id}`)
    expect(String(mail.text)).toContain('Campus tour')
    await waiting()
    await sql`update scenario_version set state = 'replaced'`.execute(api.database.db)
    expect(await sendNotices(sendNextNotice, api.services)).toEqual([])
  })
})

describe('pausing and retiring', () => {
  const other = { ...newScenario({ categoryId: 'manual' }), name: 'Other' }

  it('needs a version in force to pause, and goes on when it is asked to', async () => {
    const id = await createScenario()
    expect((await put(id, { state: 'paused' })).body.error.details.state).toBe('draft')
    await put(id, { state: 'active' })
    expect((await put(id, { state: 'paused' })).body).toMatchObject({
      state: 'paused',
      canStart: false,
      inForce: 1,
    })
    expect((await inForce(id))?.state).toBe('paused')
    expect((await put(id, { state: 'active' })).body).toMatchObject({
      state: 'active',
      canStart: true,
      version: 1,
    })
  })

  it('an approval ends only a pause that the activation was asked for in', async () => {
    const id = await waiting()
    await approve(id)
    await put(id, { state: 'paused' })
    await put(id, { ...newScenario({ categoryId: 'manual' }), name: 'Mended', state: 'active' })
    expect((await read(id)).canStart).toBe(false)
    expect((await approve(id)).body).toMatchObject({ state: 'active', canStart: true, inForce: 2 })

    await put(id, { ...newScenario({ categoryId: 'manual' }), name: 'Again', state: 'active' })
    await put(id, { state: 'paused' })
    expect((await approve(id)).body).toMatchObject({ state: 'paused', canStart: false, inForce: 3 })
  })

  it.each([
    ['is a draft', 'draft', async () => undefined],
    ['waits', 'submitted', async () => undefined],
    ['was rejected', 'rejected', async (id: string) => reject(id)],
  ])('goes on with the version in force while a newer one %s', async (_what, versionState, decide) => {
    const id = await waiting()
    await approve(id)
    if (versionState === 'draft') await put(id, other)
    else await put(id, { ...other, state: 'active' })
    await put(id, { state: 'paused' })
    expect(await read(id)).toMatchObject({ paused: true, canStart: false, inForce: 1, version: 2 })
    await decide(id)
    const { body } = await put(id, { state: 'active' })
    expect(body).toMatchObject({ paused: false, canStart: true, inForce: 1, version: 2, versionState })
    expect((await inForce(id))?.state).toBe('active')
  })

  it('asks for the content that comes with it in a pause, and says both', async () => {
    const id = await waiting()
    await approve(id)
    await put(id, { state: 'paused' })
    const { body } = await put(id, { ...other, state: 'active' })
    expect(body).toMatchObject({ state: 'submitted', paused: true, canStart: false, inForce: 1 })
    expect((await approve(id)).body).toMatchObject({ state: 'active', paused: false, inForce: 2 })
  })

  it.each([
    ['a call to go on', 'news', async (id: string) => put(id, { state: 'active' })],
    [
      'content that comes in force at once',
      'news',
      async (id: string) => put(id, { ...newScenario(), name: 'Mended', state: 'active' }),
    ],
    [
      'an approval',
      'manual',
      async (id: string) => {
        await put(id, { ...other, state: 'active' })
        return approve(id)
      },
    ],
  ])('says what a pause held back after %s', async (_what, categoryId, goOn) => {
    const id = await createScenario({ categoryId })
    await put(id, { state: 'active' })
    if (categoryId === 'manual') await approve(id)
    const { db } = api.database
    const scenario = { id, unitId: api.units.a, categoryId, version: 1 } as const
    const runId = await insertScenarioRun(db, { scenario, columns: { observed_version: 1 } })
    const told = { run_id: runId, number: 1, first_node: 'ask', last_node: 'ask', unit_id: api.units.a }
    await insertRow(db, 'turn', { ...told, answers_person: false, locale: 'en' })
    await put(id, { state: 'paused' })
    expect(await scenarioRunRow(db, runId)).toMatchObject({ version: 1, observed_version: 1 })
    expect((await goOn(id)).body).toMatchObject({ paused: false, canStart: true })
    expect(await scenarioRunRow(db, runId)).toMatchObject({ version: 2, observed_version: 1 })
  })

  it('retires for good, and nothing waits for an approver any more', async () => {
    const id = await waiting({ triggers: { keywords: ['導覽'] } })
    await approve(id)
    await put(id, { ...newScenario({ categoryId: 'manual' }), name: 'Other', state: 'active' })
    const { body } = await put(id, { state: 'retired' })
    expect(body).toMatchObject({ state: 'retired', canStart: false, versionState: 'replaced' })
    expect(await triggers()).toEqual([])
    expect((await put(id, { state: 'retired' })).status).toBe(200)
    expect((await put(id, { state: 'active' })).body.error.details.state).toBe('retired')
    expect((await approve(id)).code).toBe('invalid_transition')
  })

  it('has a farewell in its content: another one is another version, which a person approves', async () => {
    const farewell = { 'zh-TW': '活動已結束', en: 'It is over' }
    const id = await waiting({ farewell })
    expect((await approve(id)).body).toMatchObject({ version: 1, versionState: 'in_force', farewell })
    const other = { 'zh-TW': '改天見' }
    const content = newScenario({ categoryId: 'manual', farewell: other })
    const { body } = await put(id, { ...content, state: 'active' })
    expect(body).toMatchObject({ version: 2, versionState: 'submitted', inForce: 1, farewell: other })
    const { items } = (await api.call('listScenarioVersions', { ...byKey(), id })).body
    expect(items.map((version: { farewell: object }) => version.farewell)).toEqual([other, farewell])
  })

  it('takes no text about a field that no person has, and warns of names that nothing gives', async () => {
    const text = (zh: string) => ({
      nodes: [
        { id: 'hi', kind: 'message', messages: [{ kind: 'text', text: { 'zh-TW': zh } }] },
        { id: 'end', kind: 'end' },
      ],
      edges: [{ from: 'hi', to: 'end' }],
    })
    const save = (zh: string) =>
      api.call('createScenario', { ...byKey(), body: { ...newScenario(), ...text(zh) } })
    const path = 'nodes[0].messages[0].text.zh-TW'
    expect((await save('{{ person.dispalyName }}')).body.error.details.issues).toMatchObject([{ path }])
    expect((await save('{{ nmae }}')).body.warnings).toMatchObject([{ path, code: 'unknown_variable' }])
  })

  it('checks a farewell as it checks what nodes say, and takes none with variables', async () => {
    const liquid = { 'zh-TW': '再見', en: 'Bye {{ nobody }}' }
    const refused = await api.call('createScenario', { ...byKey(), body: newScenario({ farewell: liquid }) })
    expect(refused.body.error.details.issues).toMatchObject([{ path: 'farewell.en' }])
    const id = await createScenario({ farewell: { 'zh-TW': '再'.repeat(5_001) } })
    const long = await put(id, { state: 'active' })
    expect([long.code, long.body.error.details.violations[0].path]).toEqual([
      ...['content_violation', 'farewell.zh-TW'],
    ])
    const whole = newScenario({ farewell: { 'zh-TW': '再'.repeat(100_001) } })
    expect((await api.call('createScenario', { ...byKey(), body: whole })).status).toBe(400)
  })

  it('leaves a row in the audit log for each step', async () => {
    const id = await createScenario()
    await put(id, { state: 'active' })
    await put(id, { state: 'paused' })
    await put(id, { state: 'active' })
    await put(id, { state: 'retired' })
    const { rows } = await sql<{
      action: string
      actor: string
    }>`select action, split_part(actor, ':', 1) as actor
      from audit where object_kind = 'scenario' and object_id = ${id} order by id`.execute(api.database.db)
    expect(rows.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
      ...['key create', 'key submit', 'system approve', 'key pause', 'key resume', 'key retire'],
    ])
  })
})
