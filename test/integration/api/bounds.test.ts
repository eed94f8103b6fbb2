import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { type Bound, bounds, limits } from '../../../src/contract/limits.ts'
import { startApi } from '../../fixtures/api.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
const body = { zh: { 'zh-TW': '您好' } }
const messages = [{ kind: 'text', text: body.zh }]
let scenario: string
let template: string
beforeAll(async () => {
  const created = await api.call('createScenario', { key: api.keys.a, body: newScenario() })
  scenario = created.body.id
  template = api.templates.approved
})

/** How one kind of thing is created, and so many rows of it as a caller would have stored. */
type Kind = {
  create: (
    n: number,
  ) => Promise<{ status: number; code: string | null; body: { error?: { message: string } } }>
  store: (count: number) => RawBuilder<unknown>
}
const post = (operation: OperationId, options: object) => api.call(operation, { key: api.keys.a, ...options })

const kinds: Partial<Record<Bound, Kind>> = {
  scenarios: {
    create: () => post('createScenario', { body: newScenario() }),
    store: (count) => sql`insert into scenario (unit_id, created_by)
      select ${api.units.a}, 'key:test' from generate_series(1, ${count})`,
  },
  scenarioVersions: {
    create: (n) => post('putScenario', { id: scenario, body: newScenario({ name: `Version ${n}` }) }),
    store: (count) => sql`insert into scenario_version
        (scenario_id, version, state, name, category_id, content, jumps, created_by, authors)
      select scenario_id, number + 2, 'replaced', name, category_id, content, jumps, created_by, authors
      from scenario_version, generate_series(1, ${count}) as number where scenario_id = ${scenario} and version = 1`,
  },
  templates: {
    create: () => post('createTemplate', { body: { name: 'T', categoryId: 'news', messages } }),
    store: (count) => sql`insert into template (unit_id, category_id, name)
      select ${api.units.a}, 'news', 'T' from generate_series(1, ${count})`,
  },
  templateVersions: {
    create: () => post('createTemplateVersion', { id: template, body: { messages } }),
    store: (count) => sql`insert into template_version
        (template_id, version, state, messages, variables, created_by)
      select template_id, version + number, 'rejected', messages, variables, created_by
      from template_version, generate_series(1, ${count}) as number
      where template_id = ${template} and version = (select max(version) from template_version where template_id = ${template})`,
  },
  groups: {
    create: () => post('createGroup', { body: { name: 'G', kind: 'static', legalBasis: 'consent' } }),
    store: (count) => sql`insert into subject_group (unit_id, name, kind, legal_basis)
      select ${api.units.a}, 'G', 'static', 'consent' from generate_series(1, ${count})`,
  },
  bindings: {
    create: (n) =>
      post('createEventBinding', {
        body: {
          ...{ source: 'sis', type: `bound.${n}`, categoryId: 'news', templateId: template },
          audience: { kind: 'event_subjects' },
        },
      }),
    store: (count) => sql`insert into event_binding (unit_id)
      select ${api.units.a} from generate_series(1, ${count})`,
  },
}

it.each(Object.keys(kinds) as Bound[])(
  'of two requests at once for the last place, one gets it: %s',
  async (of) => {
    const { create, store } = kinds[of]!
    const { db } = api.database
    const first = await create(0)
    expect(first.code).toBeNull()
    const there = await count(of)
    await store(bounds[of].most - there - 1).execute(db)
    const answers = await Promise.all([create(1), create(2), create(3)])
    expect(answers.filter(({ code }) => code === null)).toHaveLength(1)
    const [refused] = answers.filter(({ code }) => code === 'validation_error')
    expect(refused?.body.error?.message).toContain(bounds[of].instead)
    expect(await count(of)).toBe(bounds[of].most)
  },
)

const tables: Partial<Record<Bound, () => RawBuilder<unknown>>> = {
  scenarios: () => sql`scenario where unit_id = ${api.units.a}`,
  scenarioVersions: () => sql`scenario_version where scenario_id = ${scenario}`,
  templates: () => sql`template where unit_id = ${api.units.a}`,
  templateVersions: () => sql`template_version where template_id = ${template}`,
  groups: () => sql`subject_group where unit_id = ${api.units.a}`,
  bindings: () => sql`event_binding where unit_id = ${api.units.a}`,
}

async function count(of: Bound): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from ${tables[of]!()}`.execute(
    api.database.db,
  )
  return rows[0]!.count
}

it('the versions of a scenario with long texts are read page by page, each once and within the bytes of a page', async () => {
  const long = { 'zh-TW': '字'.repeat(5_000) }
  const content = JSON.stringify({
    nodes: Array.from({ length: 19 }, (_, n) => ({
      ...{ id: `n${n}`, kind: 'message', messages: [{ kind: 'text', text: long }] },
    })),
    edges: [],
  })
  await sql`update scenario_version set content = ${content} where scenario_id = ${scenario} and version > 990`.execute(
    api.database.db,
  )
  const versions: number[] = []
  let cursor: string | undefined
  do {
    const { text, body } = await page(cursor)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.pageBytes + 1_000)
    versions.push(...body.items.map(({ version }: { version: number }) => version))
    cursor = body.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(versions).toEqual(
    Array.from({ length: bounds.scenarioVersions.most }, (_, n) => bounds.scenarioVersions.most - n),
  )
})

async function page(cursor: string | undefined) {
  const { payload } = await api.app.inject({
    url: `/v1/scenarios/${scenario}/versions`,
    query: { limit: '200', ...(cursor !== undefined && { cursor }) },
    headers: { authorization: `Bearer ${api.keys.a}` },
  })
  return { text: payload, body: JSON.parse(payload) }
}
