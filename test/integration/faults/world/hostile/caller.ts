import { createHmac } from 'node:crypto'
import { upsertPerson } from '../../../../../dev/people.ts'
import type { Endpoint } from '../../../../../src/contract/endpoint.ts'
import { endpoints } from '../../../../../src/contract/endpoints.ts'
import { exampleId, exampleUnitId } from '../../../../../src/contract/example-ids.ts'
import { insertCategory } from '../../../../../src/db/queries/catalogue/category.ts'
import { insertClaims } from '../../../../../src/db/queries/event/source-claim.ts'
import { insertMember } from '../../../../../src/db/queries/identity/person.ts'
import { insertUnit } from '../../../../../src/db/queries/identity/unit.ts'
import { createKey } from '../../../../../src/services/admin/keys.ts'
import { createSession } from '../../../../../src/services/identity/session.ts'
import type { Api, Env, Installation } from '../installation.ts'
import { insertCrowd } from '../people.ts'

/** One request. `body` is made when it is sent: many are as large as is allowed. */
export type HostileRequest = {
  operation: string
  /** What its parts are at. */
  edge: string
  method: string
  path: string
  headers: Record<string, string>
  body?: (() => string | Buffer) | undefined
  /** Headers that depend on the body. */
  sign?: ((body: string | Buffer) => Record<string, string>) | undefined
}

/** A caller with credentials of every kind, all of units of its own. */
export type HostileCaller = {
  unitId: string
  /** The operations of the table, with the path of an object of its own. */
  operations: Operation[]
  /** The id of an object of its own, by the path of its collection. */
  ids: ReadonlyMap<string, string>
  /** A request with the credentials that the operation asks for. */
  request(operation: Operation, edge: string, parts?: Parts): HostileRequest
}
export type Operation = { id: string; endpoint: Endpoint; path: string }
export type Parts = {
  path?: string
  headers?: Record<string, string>
  body?: HostileRequest['body']
}

const signing = { keyId: 'intruder', secret: 'a secret of the intruder' }
const table = Object.entries<Endpoint>(endpoints)
/** The category of the examples of the table. */
const categoryId = 'campus-events'

/** The settings of an API process that serves everything that it can without further servers. */
export const servesEverything: Env = {
  EVENT_SIGNING_KEYS: `${signing.keyId}:${signing.secret}`,
  RATE_LIMIT_PER_MINUTE: '600',
  CHANNEL_MOCK: 'true',
  PUBLIC_URL: 'http://127.0.0.1',
  SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64'),
}

/** Makes units, keys, people and objects for a hostile caller. */
export async function setUpHostileCaller({ db }: Installation, api: Api): Promise<HostileCaller> {
  await insertCategory(db, {
    id: categoryId,
    name: { 'zh-TW': '活動', en: 'Events' },
    layer: 'service',
    channelPlan: { mode: 'first_available', channels: ['chat'] },
  })
  const rights = {
    categories: null,
    dimensions: null,
    individualTargeting: true,
    groupWriting: true,
    handoffReply: true,
  }
  const { id: unitId } = await insertUnit(db, { name: 'Intruder', kind: 'ordinary' })
  await insertClaims(db, { unitId, sources: ['intruder', 'student-information'], claimedBy: 'test' })
  const { id: officeId } = await insertUnit(db, { name: 'Intruders of the office', kind: 'administrative' })
  const personId = await upsertPerson(db, { email: 'intruder@example.org', name: 'Intruder' })
  await insertMember(db, unitId, personId, ['editor', 'approver'])
  const root = { email: 'root@example.org', name: 'Root', systemAdmin: true }
  const rootId = await upsertPerson(db, root)
  const { recipients } = await insertCrowd(db, 1)

  // For each operation its own: signing out ends one session, and each key begins with the whole of its rate limit.
  const sessions = new Map<string, string>()
  const keys = new Map<string, string>()
  for (const [id, { administrative, systemAdmin }] of table) {
    const session = { personId: systemAdmin ? rootId : personId, hours: 1 }
    sessions.set(id, (await createSession(db, 'test', session)).token)
    const owner = { unitId: administrative ? officeId : unitId, name: id }
    keys.set(id, (await createKey(db, 'test', { ...owner, ...rights })).key)
  }

  function credentials({ id, endpoint: { auth } }: Operation): Record<string, string> {
    if (auth.includes('producer')) return { authorization: `Bearer ${keys.get(id)}` }
    if (auth.includes('session')) return { cookie: `hub_session=${sessions.get(id)}` }
    if (auth.includes('recipient')) return { 'x-mock-channel-user': recipients[0]! }
    return auth.includes('adapter') ? { 'x-mock-signature': 'ok' } : {}
  }

  const ids = new Map<string, string>()
  const caller: HostileCaller = {
    ...{ unitId, ids },
    operations: [],
    request(operation, edge, { path = operation.path, headers = {}, body } = {}) {
      return {
        ...{ operation: operation.id, edge, method: operation.endpoint.method, path, body },
        headers: {
          'idempotency-key': `${operation.id}-${serial++}`,
          ...(body && { 'content-type': 'application/json' }),
          ...credentials(operation),
          ...headers,
        },
        sign: operation.endpoint.auth.includes('event') ? signatureOf : undefined,
      }
    },
  }
  caller.operations = table.map(([id, endpoint]) => ({ id, endpoint, path: endpoint.path }))
  for (const operation of caller.operations.filter(makesObject)) {
    const body = JSON.stringify(exampleFor(operation.endpoint, unitId))
    const { method, headers, path } = caller.request(operation, 'set-up', { body: () => body })
    const answer = await fetch(api.url + path, { method, headers, body })
    const object = (await answer.json()) as { id?: string }
    if (object.id) ids.set(operation.path, object.id)
  }
  for (const operation of caller.operations) operation.path = pathOf(operation.endpoint, ids)
  return caller
}

let serial = 0

/** The example of an operation's body, with the caller's own unit. */
export function exampleFor({ bodyExample }: Endpoint, unitId: string): unknown {
  const text = JSON.stringify(bodyExample ?? {}).replaceAll(exampleUnitId, unitId)
  return JSON.parse(text)
}

/** A POST to a collection whose objects have a path. */
function makesObject({ endpoint: { method, path, body } }: Operation): boolean {
  if (method !== 'POST' || body === undefined) return false
  return table.some(([, other]) => other.path.startsWith(`${path}/{`))
}

/** The path of an operation on the caller's own object; what would be deleted does not exist. */
function pathOf({ method, path }: Endpoint, ids: ReadonlyMap<string, string>): string {
  const own = method === 'DELETE' ? undefined : ids.get(path.slice(0, path.indexOf('/{')))
  const values: Record<string, string> = {
    id: own ?? exampleId,
    uid: 'intruder-1',
    channel: 'chat',
    source: 'intruder',
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? 'x')
}

function signatureOf(body: string | Buffer): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000)
  const digest = createHmac('sha256', signing.secret).update(`${timestamp}.`).update(body).digest('hex')
  return {
    'x-service-key-id': signing.keyId,
    'x-service-timestamp': `${timestamp}`,
    'x-service-signature': `v1=${digest}`,
  }
}
