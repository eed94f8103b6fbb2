import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../../src/api/app.ts'
import type { DoorSettings } from '../../../src/api/auth/doors.ts'
import type { OidcOptions } from '../../../src/api/auth/oidc.ts'
import { compileChat } from '../../../src/channels/chat/compile.ts'
import type { ErrorCode } from '../../../src/contract/errors.ts'
import { createKey, type KeyRights } from '../../../src/services/admin/keys.ts'
import type { Services } from '../../../src/services/context.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { type Caller, callerOf } from './call.ts'
import { seedCatalogue, seedPeople, seedUnit } from './seed.ts'

type People = Awaited<ReturnType<typeof seedPeople>>

/** A small installation behind its HTTP interface: two units, their keys and people, no run behind it. */
export type World = {
  app: FastifyInstance
  services: Services
  database: FreshDatabase
  call: Caller
  /** Ids. `b` has nothing but a key. */
  units: { a: string; b: string }
  /** `office` belongs to an administrative unit of that name. */
  keys: { a: string; b: string; office: string; restricted: string; individual: string; revoked: string }
  sessions: {
    editor: string
    approver: string
    otherApprover: string
    twoUnits: string
    stranger: string
    over: string
  }
  /** An approved and a draft template of unit a, with the required variable `day`. */
  templates: { approved: string; draft: string }
  topics: { active: string; inactive: string }
  /** A session of its own, for what ends it. */
  newSession(who: keyof People): Promise<string>
  newKey(unitId: string, rights?: Partial<KeyRights>): Promise<string>
  close(): Promise<void>
}

/** Codes that no scenario needs to reach: they are faults of ours, or of the machine. */
export const beyondReach: ErrorCode[] = ['internal']

/** `database`: one that the test has prepared. `ratePerMinute`: off unless it is asked for. `doors`: with the mock headers unless others are given. */
export type WorldOptions = {
  database?: FreshDatabase
  services?: Partial<Services>
  ratePerMinute?: number
  doors?: DoorSettings
  signIn?: OidcOptions
}

/** What events of a world are signed with, unless it has doors of its own. */
export const eventKeys = new Map([
  ['old', 'an old secret: it holds colons'],
  ['new', 'a new secret'],
])

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const database = options.database ?? (await freshDatabase())
  const { db } = database
  const services: Services = {
    db,
    poke: () => {},
    channels: { chat: { compile: compileChat } },
    quotaTimeZone: 'Asia/Taipei',
    outbound: openOutbound({ allow: [] }),
    secrets: secretBox(randomBytes(32)),
    log: pino({ level: 'silent' }),
    ...options.services,
  }
  const app = await buildApp(services, {
    probes: { temporal: async () => {}, adapters: {} },
    trustProxy: false,
    doors: options.doors ?? { mock: true, eventKeys },
    signIn: options.signIn,
    ratePerMinute: options.ratePerMinute ?? 0,
  })
  const units = { a: await seedUnit(db, 'Admissions'), b: await seedUnit(db, 'Library') }
  const { templates, topics } = await seedCatalogue(db, units.a)
  const people = await seedPeople(db, units)

  const newKey = async (unitId: string, rights: Partial<KeyRights> = {}) => {
    const all = { categories: null, dimensions: null, individualTargeting: false, ...rights }
    return (await createKey(db, 'operator:cli', { unitId, name: 'test', ...all })).key
  }
  const newSession = (who: keyof People) => session(people[who])
  const session = async (personId: string, hours = 1) =>
    (await createSession(db, 'operator:cli', { personId, hours })).token

  const keys = {
    a: await newKey(units.a),
    b: await newKey(units.b),
    office: await newKey(await seedUnit(db, 'Office', 'administrative')),
    restricted: await newKey(units.a, { categories: ['news'], dimensions: ['roles'] }),
    individual: await newKey(units.a, { individualTargeting: true }),
    revoked: await newKey(units.a),
  }
  await db
    .updateTable('producer_key')
    .set({ revoked_at: new Date() })
    .where('id', '=', keys.revoked.split('_')[1]!)
    .execute()
  const sessions = {
    editor: await session(people.editor),
    approver: await session(people.approver),
    otherApprover: await session(people.otherApprover),
    twoUnits: await session(people.twoUnits),
    stranger: await session(people.stranger),
    over: await session(people.approver, -1),
  }
  const close = async () => {
    await app.close()
    await database.drop()
  }
  return {
    app,
    services,
    database,
    call: callerOf(app),
    units,
    keys,
    sessions,
    templates,
    topics,
    newSession,
    newKey,
    close,
  }
}
