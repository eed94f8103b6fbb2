import { expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import { insertPattern } from '../../fixtures/patterns.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

/** Makes one of these with a name, and answers its id. */
type Make = (name: string, unitId: string) => Promise<string>
const lists: [OperationId, Make][] = [
  [
    'listTemplates',
    async (name, unitId) => {
      const key = unitId === api.units.a ? api.keys.a : api.keys.b
      const messages = [{ kind: 'text', text: { 'zh-TW': '內容' } }]
      return (await api.call('createTemplate', { key, body: { name, categoryId: 'news', messages } })).body.id
    },
  ],
  ['listScenarios', async (name, unitId) => (await insertScenario(api.database.db, { name, unitId })).id],
  [
    'listPatterns',
    async (name, unitId) => {
      const title = JSON.stringify({ 'zh-TW': '某個活動', en: name })
      return (await insertPattern(api.database.db, { title, unit_id: unitId }, unitId)).id
    },
  ],
  [
    'listGroups',
    async (name, unitId) => {
      const key = unitId === api.units.a ? api.keys.a : api.keys.b
      return (await api.call('createGroup', { key, body: { name, kind: 'static', legalBasis: 'consent' } }))
        .body.id
    },
  ],
]

it.each(lists)(
  '%s finds a part of a name and an id, page by page, in the own unit only',
  async (operation, make) => {
    const first = await make('Open day 50% (100 places)', api.units.a)
    const second = await make('OPEN DAY, tour', api.units.a)
    await make('Closing day', api.units.a)
    const others = await make('Open day elsewhere', api.units.b)
    const find = async (q: string, query = {}) =>
      (await api.call(operation, { key: api.keys.a, query: { q, ...query } })).body
    const ids = async (q: string) => (await find(q)).items.map(({ id }: { id: string }) => id)
    expect(await ids('open day')).toEqual([second, first])
    expect(await ids('50%')).toEqual([first])
    expect(await ids('%tour')).toEqual([])
    expect(await ids(first.toUpperCase())).toEqual([first])
    expect(await ids(others)).toEqual([])
    const page = await find('open day', { limit: 1 })
    expect((await find('open day', { limit: 1, cursor: page.nextCursor })).items[0].id).toBe(first)
  },
)
