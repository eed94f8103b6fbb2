import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { insertPattern, placesIn, walkOn } from '../../fixtures/patterns.ts'
import { insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const create = (parts: object = {}, as: object = { key: api.keys.a }) =>
  api.call('createPattern', { ...as, body: newPattern(parts) })
const get = (id: string, key = api.keys.a) => api.call('getPattern', { key, id })

describe('a new pattern', () => {
  it.each([
    ['registration', {}],
    ['survey', { capacity: undefined, waitingList: undefined }],
    ['rsvp', { questions: undefined }],
  ])('generates the scenario of a %s, which can be activated and simulated as it is', async (type, parts) => {
    const { body, status } = await create({ type, ...parts })
    expect(status).toBe(201)
    const { id, scenarioId } = body
    expect((await get(id)).body).toMatchObject({
      id,
      scenarioId,
      type,
      status: 'open',
      scenarioState: 'draft',
    })
    const put = { key: api.keys.a, id: scenarioId, body: { state: 'active' } }
    expect((await api.call('putScenario', put)).body).toMatchObject({ state: 'active', autoApproved: true })
    const answers = { join: 'yes', attend: 'yes', lunch: 'meat', take: 'registered' }
    const { nodes } = (await api.call('getScenario', { key: api.keys.a, id: scenarioId })).body
    const ownAnswers = Object.entries(answers).filter(([node]) =>
      nodes.some((one: { id: string }) => one.id === node),
    )
    const simulated = await api.call('simulateScenario', {
      ...{ key: api.keys.a, id: scenarioId, body: { answers: Object.fromEntries(ownAnswers), lookups: {} } },
    })
    expect(simulated.body.ends).toEqual({ waits: type === 'survey' ? 'thanks' : 'manage' })
    expect((await get(id)).body.scenarioState).toBe('active')
  })

  it('can be activated with five options whose labels are as long as they may be', async () => {
    const options = [1, 2, 3, 4, 5].map((n) => ({ id: `o${n}`, label: { 'zh-TW': '字'.repeat(39) + n } }))
    const { body, status } = await create({ questions: [{ id: 'q', text: { 'zh-TW': '？' }, options }] })
    expect(status).toBe(201)
    const put = { key: api.keys.a, id: body.scenarioId, body: { state: 'active' } }
    expect((await api.call('putScenario', put)).body).toMatchObject({ state: 'active' })
  })

  it('may have a farewell, which is part of the version that is approved', async () => {
    const farewell = { 'zh-TW': '活動取消了，抱歉。', en: 'It is cancelled, sorry.' }
    const { body } = await create({ farewell })
    const scenario = (await api.call('getScenario', { key: api.keys.a, id: body.scenarioId })).body
    expect(scenario).toMatchObject({ version: 1, versionState: 'draft', farewell })
  })

  it('may have a question and an option with the name of a property of every object', async () => {
    const options = [{ id: 'toString', label: { 'zh-TW': '是' } }]
    const { body } = await create({ questions: [{ id: 'constructor', text: { 'zh-TW': '？' }, options }] })
    const { byOption } = (await api.call('getPatternReport', { key: api.keys.a, id: body.id })).body
    expect(byOption.constructor).toEqual({ toString: 0 })
    expect((await api.call('getScenario', { key: api.keys.a, id: body.scenarioId })).status).toBe(200)
  })

  it('is audited, listed, and that of the unit alone', async () => {
    const { body } = await create({ name: 'Listed' })
    const { items } = (await api.call('listPatterns', { key: api.keys.a, query: { type: 'registration' } }))
      .body
    expect(items[0]).toMatchObject({
      id: body.id,
      name: 'Listed',
      left: 30,
      createdBy: { id: expect.any(String) },
    })
    expect((await get(body.id, api.keys.b)).code).toBe('not_found')
    expect((await api.call('listPatterns', { key: api.keys.b })).body.items).toEqual([])
    const audit = api.database.db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('object_id', '=', body.id)
    expect(await audit.execute()).toEqual([
      { action: 'create', details: { type: 'registration', scenarioId: body.scenarioId } },
    ])
  })

  it.each<[string, object, string]>([
    ['a deadline that has passed', { deadline: '2020-01-01T00:00:00Z' }, 'deadline'],
    ['places of a survey', { type: 'survey' }, 'capacity'],
    ['a waiting list without a capacity', { capacity: undefined }, 'waitingList'],
    ['a survey without questions', { type: 'survey', questions: [] }, 'questions'],
    ['an rsvp without a yes', { type: 'rsvp' }, 'questions[0].options'],
    [
      'an rsvp whose first question can be skipped',
      {
        ...{ type: 'rsvp' },
        questions: [
          {
            id: 'q',
            text: { 'zh-TW': '?' },
            options: [{ id: 'yes', label: { 'zh-TW': 'a' } }],
            required: false,
          },
        ],
      },
      'questions[0].required',
    ],
    ['a farewell with variables', { farewell: { 'zh-TW': '再見 {{ subject }}' } }, 'farewell.zh-TW'],
    ['the id of another node', { questions: [{ id: 'take', text: { 'zh-TW': '?' } }] }, 'questions[0].id'],
    [
      'an id that JSON readers drop',
      { questions: [{ id: '__proto__', text: { 'zh-TW': '?' } }] },
      'questions[0].id',
    ],
    [
      'an option with such an id',
      {
        questions: [
          { id: 'q', text: { 'zh-TW': '?' }, options: [{ id: '__proto__', label: { 'zh-TW': 'a' } }] },
        ],
      },
      'questions[0].options[0].id',
    ],
    ['a character that readers do not see', { title: { 'zh-TW': '導\u200B覽' } }, 'title.zh-TW'],
    ['a text that is no Liquid', { title: { 'zh-TW': '{{' } }, 'title.zh-TW'],
    ['a variable that no run has', { title: { 'zh-TW': '導覽', en: '{{ titel }}' } }, 'title.en'],
    ['such a property', { description: { 'zh-TW': '{{ pattern.titel }}' } }, 'description.zh-TW'],
    [
      'the answer to a later question',
      {
        questions: [
          { id: 'a', text: { 'zh-TW': '{{ answers.b }}' } },
          { id: 'b', text: { 'zh-TW': '?' } },
        ],
      },
      'questions[0].text.zh-TW',
    ],
  ])('rejects %s', async (_name, parts, path) => {
    const { code, body } = await create(parts)
    expect(code).toBe('validation_error')
    expect(body.error.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  it('may name its person, places and deadline, and the answers to earlier questions', async () => {
    const places = '{{ person.displayName }}，剩 {{ pattern.left }}，{{ pattern.deadline | date: "%m/%d" }}'
    const parts = {
      description: { 'zh-TW': `${places}{% if pattern.status == 'open' %}開放{% endif %}` },
      questions: [
        { id: 'a', text: { 'zh-TW': '?' } },
        { id: 'b', text: { 'zh-TW': '您說 {{ answers.a }}' } },
      ],
    }
    expect((await create(parts)).status).toBe(201)
  })

  it('lets its scenario be edited with its places, which other scenarios may not have', async () => {
    const { scenarioId } = (await create()).body
    const { name, categoryId, nodes, edges } = (
      await api.call('getScenario', { key: api.keys.a, id: scenarioId })
    ).body
    const content = { name: `${name} 2`, categoryId, nodes, edges }
    const put = await api.call('putScenario', { key: api.keys.a, id: scenarioId, body: content })
    expect(put.body).toMatchObject({ version: 2 })
    const other = await api.call('createScenario', { key: api.keys.a, body: content })
    expect(other.code).toBe('dag_invalid')
    expect(other.body.error.details.problems[0]).toMatchObject({ rule: 'wrong_place', node: 'take' })
  })
})

describe('a changed pattern', () => {
  const patch = (id: string, body: object, as: object = { key: api.keys.a }) =>
    api.call('patchPattern', { ...as, id, body })

  it('gives more places to those who wait, in order, and is audited', async () => {
    const pattern = await insertPattern(api.database.db, {}, api.units.a)
    const ids: string[] = []
    for (let n = 0; n < 4; n++) {
      ids.push(
        await insertScenarioRun(api.database.db, { scenario: pattern.scenario, columns: { node: 'take' } }),
      )
      await walkOn(api.services, ids[n]!)
    }
    expect((await patch(pattern.id, { capacity: 3 }, { key: api.keys.individual })).body).toMatchObject({
      capacity: 3,
      left: 0,
      status: 'full',
    })
    const places = await placesIn(api.database.db, pattern.id)
    expect(places.map(({ state }) => state)).toEqual([...Array(3).fill('registered'), 'waitlisted'])
    const audit = api.database.db.selectFrom('audit').select('details').where('object_id', '=', pattern.id)
    expect(await audit.execute()).toEqual([{ details: { changed: ['capacity'] } }])
    expect((await scenarioRunRow(api.database.db, ids[1]!)).node).toBe('take')
  })

  it('closes and opens by its deadline', async () => {
    const { id } = (await create()).body
    expect((await patch(id, { deadline: '2020-01-01T00:00:00Z' })).body.status).toBe('closed')
    const soon = new Date(Date.now() + 60_000).toISOString()
    expect((await patch(id, { deadline: soon })).body).toMatchObject({ status: 'open', deadline: soon })
  })

  it('never has fewer places, nor places where there was no end of them', async () => {
    const { id } = (await create()).body
    expect((await patch(id, { capacity: 29 })).code).toBe('validation_error')
    expect((await patch(id, { capacity: 30 })).status).toBe(200)
    const endless = (await create({ capacity: undefined, waitingList: undefined })).body
    expect((await patch(endless.id, { capacity: 5 })).code).toBe('validation_error')
    expect(await patch(id, {})).toMatchObject({ code: 'validation_error' })
    expect((await patch(id, { capacity: 40 }, { key: api.keys.b })).code).toBe('not_found')
  })
})
