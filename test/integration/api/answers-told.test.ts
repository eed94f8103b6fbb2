import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AnswerGate, answerFacts } from '../../../src/contract/answer-facts.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { pathsServed } from '../../fixtures/routes.ts'
import { startWorld, type World, withoutChance } from './answers/world.ts'
import { request } from './matrix/request.ts'

/**
 * Two installations that differ in one thing: what a person answered. Whoever reads the same in both is told nothing of it.
 */
let worlds: World[]
beforeAll(async () => {
  worlds = [await startWorld('yes'), await startWorld('no')]
})
afterAll(() => Promise.all(worlds.map(({ api }) => api.close())))

/** The callers of the matrix, a key with narrow rights, the person, and members who were named to read answers. */
const roles = [
  ...[
    'nobody',
    'malformed',
    'revoked',
    'key',
    'keyWithoutRights',
    'restricted',
    'otherKey',
    'administrativeKey',
  ],
  ...['editor', 'approver', 'author', 'severalUnits', 'otherMember', 'systemAdmin', 'recipient', 'self'],
  ...['submitter', 'organiser', 'laterOrganiser', 'formerOrganiser'],
] as const
type Role = (typeof roles)[number]

/** Who passes a gate. The objects are of an ordinary unit, in which `severalUnits` approves too. */
const pass: Record<AnswerGate, readonly Role[]> = {
  names: ['key', 'approver', 'author', 'severalUnits'],
  answers: ['key', 'approver', 'author', 'severalUnits', 'submitter', 'organiser'],
  identity: ['administrativeKey'],
  unit: [
    'key',
    'keyWithoutRights',
    'restricted',
    'editor',
    'approver',
    'author',
    'severalUnits',
    'submitter',
    'organiser',
    'laterOrganiser',
    'formerOrganiser',
  ],
}

let requests = 0
const told = new Set<string>()
afterAll(() =>
  console.log(`answers: asked ${requests} times, as ${roles.length} callers; ${told.size} operations tell`),
)

type Query = { [field: string]: string }

/** What an operation is asked beside its example. */
const queries: { [id in OperationId]?: (world: World) => Query[] } = {
  listScenarioRuns: (): Query[] => [
    ...[{ node: 'desk_yes' }, { node: 'tag_yes' }],
    ...[{ state: 'waiting' }, { uid: 'asked' }],
  ],
  listScenarioAnswers: (): Query[] => [{ optionId: 'yes' }, { node: 'why_yes' }],
  listMessageAnswers: (): Query[] => [{ optionId: 'yes' }, { q: 'asked' }],
  listPatternAnswers: (): Query[] => [{ state: 'registered' }, { q: 'asked' }],
  traceMessage: () => [{ uid: 'asked' }],
  listHandoffs: () => [{ state: 'open' }],
  listAudit: ({ scenarioId, subjectId }): Query[] => [
    { objectKind: 'subject' },
    { objectKind: 'group' },
    { actor: `scenario:${scenarioId}` },
    { actor: `recipient:${subjectId}` },
    { objectId: subjectId },
  ],
}

/** What an operation changes by its body, where its example names nobody here. */
const bodies: { [id in OperationId]?: object } = {
  changeMembers: { add: ['asked'] },
  cancelRuns: { node: 'desk_yes' },
}

/** Each operation; those that change something after those that read, and those that end or delete something last. */
const operations = Object.entries<Endpoint>(endpoints)
  .sort(([id, one], [other, another]) => lateness(id, one) - lateness(other, another))
  .map(([id]) => id as OperationId)

function lateness(id: string, { method }: Endpoint): number {
  if (method === 'GET' || /^dryRun/.test(id)) return 0
  if (id === 'cancelRuns') return 3
  if (method === 'DELETE') return 4
  return /^(cancel|close|change)/.test(id) ? 2 : 1
}

async function ask(world: World, id: OperationId, role: Role, query: Query) {
  const { path, unit }: Endpoint = endpoints[id]
  const { api, as, objects } = world
  const object =
    objects.find(([prefix]) => path.startsWith(prefix))?.[1] ?? '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'
  const named = { ...query, ...(role === 'severalUnits' && unit === 'query' && { unitId: api.units.a }) }
  const by: CallOptions = { ...(await as[role]!()), ...(Object.keys(named).length > 0 && { query: named }) }
  const body = bodies[id]
  const { status, body: answer } = body
    ? await api.call(id, { ...by, id: object, body })
    : await request(api, id, by, object)
  return withoutChance(`${status} ${typeof answer === 'string' ? answer : JSON.stringify(answer)}`)
}

const entriesOf = async ({ api }: World) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit`.execute(api.database.db)
  return rows[0]!.n
}

/** Where two texts begin to differ. */
function differing(one: string, other: string): string {
  const at = [...one].findIndex((sign, place) => sign !== other[place])
  const [before, after] = [Math.max(0, at - 60), at + 40]
  return `…${one.slice(before, after)}… / …${other.slice(before, after)}…`
}

/** What a caller is told by an operation that it should not be. */
async function leaksOf(id: OperationId, role: Role): Promise<string[]> {
  const fact = answerFacts[id]
  const asks = worlds.map((world) => [{} as Query, ...(queries[id]?.(world) ?? [])])
  const leaks: string[] = []
  for (const [n, query] of asks[0]!.entries()) {
    const before = await entriesOf(worlds[0]!)
    const [one, other] = await Promise.all(worlds.map((world, at) => ask(world, id, role, asks[at]![n]!)))
    requests += 2
    if (one === other) continue
    told.add(id)
    const where = `${role} ${JSON.stringify(query)}`
    if (!fact || !pass[fact.gate].includes(role)) leaks.push(`${where}: ${differing(one!, other!)}`)
    else if (fact.audited && (await entriesOf(worlds[0]!)) === before) leaks.push(`${where}: not audited`)
  }
  return leaks
}

it.each(operations)('%s tells nobody an answer that the list withholds', async (id) => {
  for (const role of roles) expect(await leaksOf(id, role)).toEqual([])
})

/** The pages that tell what an operation tells, to those whom it tells it. */
const tellingPages: { [page: string]: OperationId } = {
  '/patterns': 'listPatterns',
  '/patterns/:id': 'getPatternReport',
  '/patterns/:id/answers': 'listPatternAnswers',
  '/patterns/:id/answers.csv': 'listPatternAnswers',
  '/messages/:id/answers': 'listMessageAnswers',
  '/messages/:id/answers.csv': 'listMessageAnswers',
}

it('no page tells anybody an answer whom its operation would not tell it', async () => {
  const served = new Set(
    Object.values<Endpoint>(endpoints).map(({ path }) => path.replaceAll(/\{\w+\}/g, ':id')),
  )
  const pages = pathsServed(worlds[0]!.api.app).filter(
    // The documentation knows no database.
    (page) => !served.has(page.replaceAll(/:\w+/g, ':id')) && !page.startsWith('/docs'),
  )
  expect(pages).toEqual(
    expect.arrayContaining(['/approvals', '/approvals/:kind/:id', '/handoffs', '/handoffs/:id']),
  )
  for (const page of pages)
    for (const role of roles) {
      const urls = kindsOf(page).map((kind) => page.replace(':kind', kind))
      for (const url of urls) {
        const before = await entriesOf(worlds[0]!)
        const [one, other] = await Promise.all(worlds.map((world) => open(world, url, role)))
        requests += 2
        if (one === other) continue
        const fact = answerFacts[tellingPages[page]!]
        expect(fact ? pass[fact.gate] : [], `${url} as ${role}: ${differing(one!, other!)}`).toContain(role)
        if (fact!.audited) expect(await entriesOf(worlds[0]!), url).toBeGreaterThan(before)
      }
    }
})

function kindsOf(page: string): string[] {
  return page.includes(':kind') ? ['message', 'template', 'event_binding', 'scenario'] : ['']
}

async function open({ api, as, objects }: World, url: string, role: Role): Promise<string> {
  const { key, session, headers } = await as[role]!()
  const about = url.startsWith('/approvals') ? `/v1/${url.split('/')[2]}s` : `/v1${url}`
  const object = objects.find(([prefix]) => about.startsWith(prefix))?.[1] ?? 'x'
  const { statusCode, body } = await api.app.inject({
    url: url.replaceAll(/:\w+|\*/g, object),
    headers: {
      ...headers,
      ...(key && { authorization: `Bearer ${key}` }),
      ...(session && { cookie: `hub_session=${session}` }),
    },
  })
  return withoutChance(`${statusCode} ${body}`)
}

it('the list names nothing that tells nobody', () => {
  expect([...told].sort()).toEqual(Object.keys(answerFacts).sort())
})
