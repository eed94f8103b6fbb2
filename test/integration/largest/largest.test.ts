import { afterAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { readResponse, requestOf } from '../../fixtures/call.ts'
import { forFile } from '../../harness/for-file.ts'
import { allowances, expectWithin } from './bounds.ts'
import { holdOf, longestHolds } from './holds.ts'
import { refused, visits } from './operations.ts'
import { pagesServed, pageVisits } from './pages.ts'
import { activitiesOf, tasksOf } from './work.ts'
import { openWorld } from './world.ts'

/**
 * An installation in which as much is stored of everything as may be, and every way to meet it. What a visit costs is
 * counted, not timed: statements, rows that their plans handle, pages that they read, and bytes that are answered.
 */
const world = forFile(openWorld)

const visited = { operations: new Set<string>(), pages: new Set<string>(), work: new Set<string>() }
afterAll(() => {
  const { operations, pages, work } = visited
  console.log(
    `largest: visited ${operations.size} operations, ${pages.size} pages, ${work.size} tasks and activities`,
  )
  for (const line of longestHolds()) console.log(line)
})

/** What is called last, because it ends or deletes something that others are about. */
const late: OperationId[] = ['cancelRuns', 'bindAddress', 'eraseSubject']

const operations = Object.keys(endpoints) as OperationId[]
const isRead = (id: OperationId) => endpoints[id].method === 'GET'
const changing = operations
  .filter((id) => !isRead(id))
  .toSorted((one, other) => lateness(one) - lateness(other))

function lateness(id: OperationId): number {
  const { method }: Endpoint = endpoints[id]
  if (late.includes(id)) return 3 + late.indexOf(id)
  if (method === 'DELETE') return 3
  return /^(cancel|close)/.test(id) ? 2 : 1
}

async function visitOperation(id: OperationId): Promise<void> {
  const visit = await visits[id](world)
  const request = requestOf(id, visit)
  const [costs, response] = await world.costed.costsOf(() => holdOf(id, () => world.api.app.inject(request)))
  const { body, code } = readResponse(id, response)
  expect(code, JSON.stringify(body)).toBe(refused[id]?.code ?? null)
  const bytes = response.rawPayload.length
  visited.operations.add(id)
  expectWithin({ name: id, costs, bytes })
}

async function visitWork(name: string, work: () => Promise<unknown>): Promise<void> {
  const [costs] = await world.costed.costsOf(() => holdOf(name, work))
  visited.work.add(name)
  expectWithin({ name, costs, bytes: 0 })
}

describe('costs no more for the largest that is stored', () => {
  it.each(operations.filter(isRead))('to call %s', visitOperation)

  it('to open every page', async () => {
    expect(pagesServed(world.api.app).sort()).toEqual(Object.keys(pageVisits).sort())
    for (const [path, of] of Object.entries(pageVisits))
      for (const [what, visit] of Object.entries(of)) {
        const { url, session } = visit(world)
        const headers = session ? { cookie: `hub_session=${session}` } : {}
        const [costs, { statusCode, body }] = await world.costed.costsOf(() =>
          holdOf(`${path} ${what}`, async () => world.api.app.inject({ url, headers })),
        )
        expect(statusCode, url).toBe(path === '/compose' ? 303 : 200) // it leads to the list of drafts
        visited.pages.add(`${path} ${what}`)
        expectWithin({ name: `${path} ${what}`, costs, bytes: Buffer.byteLength(body) })
      }
  })

  it('to run every activity', async () => {
    for (const [name, prepare] of Object.entries(activitiesOf(world))) await visitWork(name, await prepare())
  })

  it('to run a round of every background task', async () => {
    const { 'retention-purge': purge, ...tasks } = tasksOf(world)
    for (const [name, round] of Object.entries(tasks)) await visitWork(name, round)
    expect(purge).toBeDefined()
  })

  it.each(changing)('to call %s', visitOperation)

  it('to purge what is past its retention', () =>
    visitWork('retention-purge', tasksOf(world)['retention-purge']!))

  it('with no allowance for what is not visited', () => {
    const names = [...visited.operations, ...visited.pages, ...visited.work]
    expect(names).toEqual(expect.arrayContaining(Object.keys(allowances)))
  })
})
