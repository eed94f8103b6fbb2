import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { GraphSizes } from '../../../src/domain/scenario/layout.ts'
import { keptLayout } from '../../../src/services/layouts/kept-layout.ts'
import { layOut } from '../../../src/services/layouts/layout-worker.ts'
import { startApi } from '../../fixtures/api.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
const rows = async () =>
  (
    await sql<{ hash: string; version: number; made: Date }>`
      select encode(sizes_hash, 'hex') as hash, version, created_at as made from scenario_layout
      order by version, created_at`.execute(api.database.db)
  ).rows

it('the picture of a version is laid out once for each language, and goes with the version', async () => {
  const { body } = await api.call('createScenario', { key: api.keys.a, body: newScenario() })
  const view = async (session = api.sessions.approver) =>
    (
      await api.app.inject({
        url: `/approvals/scenario/${body.id}`,
        headers: { cookie: `hub_session=${session}` },
      })
    ).payload
  const first = await view()
  expect(first).toContain('<svg')
  const layouts = await rows()
  expect(layouts).toHaveLength(1)
  expect(await view()).toBe(first)
  expect(await view(api.sessions.editor)).toContain(first.match(/<svg.*?<\/svg>/s)![0])
  expect(await rows()).toEqual(layouts)

  // What is shown is what was kept.
  await sql`update scenario_layout set layout = jsonb_set(layout, '{width}', '1234')`.execute(api.database.db)
  expect(await view()).toContain('viewBox="0 0 1234 ')

  const shorter = { ...newScenario({ name: 'Shorter' }), nodes: [{ id: 'over', kind: 'end' }], edges: [] }
  await api.call('putScenario', { key: api.keys.a, id: body.id, body: shorter })
  await view()
  expect((await rows()).map(({ version }) => version)).toEqual([1, 2])
  await sql`delete from scenario_version where version = 1`.execute(api.database.db)
  expect((await rows()).map(({ version }) => version)).toEqual([2])
})

it('a version keeps the newest few of its pictures, laid out in a thread of their own', async () => {
  const { body } = await api.call('createScenario', { key: api.keys.a, body: newScenario() })
  const of = { scenarioId: body.id, version: 1 }
  const sizesOf = (height: number): GraphSizes => ({
    boxes: [
      { width: 184, height },
      { width: 184, height: 40 },
    ],
    arrows: [{ from: 0, to: 1, width: 0, height: 0 }],
  })
  const heights = [40, 50, 60, 70, 80, 90]
  for (const height of heights)
    expect(await keptLayout(api.services, of, sizesOf(height))).toEqual(layOut(sizesOf(height)))
  const kept = (await rows()).filter(({ version }) => version === 1)
  expect(kept).toHaveLength(4)
})
