import { upsertPerson } from '../../../../dev/people.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import type { Role } from '../../../../src/contract/enums.ts'
import { insertMember } from '../../../../src/db/queries/identity/person.ts'
import { createSession } from '../../../../src/services/identity/session.ts'
import type { Api } from '../../../fixtures/api.ts'
import type { CallOptions } from '../../../fixtures/call.ts'

/** The kinds of callers that call every operation. Objects are unit a's, which has these people. */
export const callers = [
  'nobody',
  'malformed',
  'revoked',
  'key',
  'keyWithoutRights',
  'otherKey',
  'administrativeKey',
  'editor',
  'approver',
  'author',
  'severalUnits',
  'otherMember',
  'systemAdmin',
  'recipient',
] as const
export type CallerName = (typeof callers)[number]

export type CallerKind = {
  scheme: 'producer' | 'session' | 'recipient' | 'none'
  /** Why the credential is invalid, if it is. */
  refused?: 'unauthenticated' | 'invalid_credential'
  /** Which units it belongs to; the object is unit a's. */
  units?: ('a' | 'b' | 'administrative')[]
  /** Which rights its key lacks. */
  lacks?: Endpoint['keyRight'][]
  roles?: Role[]
  systemAdmin?: true
  /** Whether it is the author of the object. */
  author?: true
}

/** The facts about each caller that the rules use. */
export const kinds: Record<CallerName, CallerKind> = {
  nobody: { scheme: 'none', refused: 'unauthenticated' },
  malformed: { scheme: 'producer', refused: 'invalid_credential' },
  revoked: { scheme: 'producer', refused: 'invalid_credential' },
  key: { scheme: 'producer', units: ['a'] },
  keyWithoutRights: {
    scheme: 'producer',
    units: ['a'],
    lacks: ['groupWriting', 'handoffReply', 'individualTargeting'],
  },
  otherKey: { scheme: 'producer', units: ['b'] },
  administrativeKey: { scheme: 'producer', units: ['administrative'] },
  editor: { scheme: 'session', units: ['a'], roles: ['editor'] },
  approver: { scheme: 'session', units: ['a'], roles: ['approver'] },
  author: { scheme: 'session', units: ['a'], roles: ['editor', 'approver'], author: true },
  severalUnits: { scheme: 'session', units: ['a', 'b'], roles: ['editor', 'approver'] },
  otherMember: { scheme: 'session', units: ['b'], roles: ['editor', 'approver'] },
  systemAdmin: { scheme: 'session', units: [], systemAdmin: true },
  recipient: { scheme: 'recipient' },
}

/** The credentials of each caller; a session is created for each call, because some operations end it. */
export async function credentialsOf(api: Api): Promise<Record<CallerName, () => Promise<CallOptions>>> {
  const { db } = api.database
  const session = async (name: CallerName) => {
    const { units = [], roles = [], systemAdmin = false } = kinds[name]
    const personId = await upsertPerson(db, { email: `${name}@matrix.example.edu`, name, systemAdmin })
    for (const unit of units) await insertMember(db, api.units[unit as 'a' | 'b'], personId, roles)
    return async () => ({ session: (await createSession(db, 'operator:cli', { personId, hours: 1 })).token })
  }
  const key = (key: string) => async () => ({ key })
  const administrativeUnit = async () => {
    const unit = db.selectFrom('unit').select('id').where('kind', '=', 'administrative')
    return (await unit.executeTakeFirstOrThrow()).id
  }
  const allRights = { groupWriting: true, handoffReply: true, individualTargeting: true }
  return {
    nobody: async () => ({}),
    malformed: key('hub_x'),
    revoked: key(api.keys.revoked),
    key: key(await api.newKey(api.units.a, allRights)),
    keyWithoutRights: key(await api.newKey(api.units.a)),
    otherKey: key(await api.newKey(api.units.b, allRights)),
    administrativeKey: key(await api.newKey(await administrativeUnit(), allRights)),
    editor: await session('editor'),
    approver: await session('approver'),
    author: await session('author'),
    severalUnits: await session('severalUnits'),
    otherMember: await session('otherMember'),
    systemAdmin: await session('systemAdmin'),
    recipient: async () => ({ headers: { 'x-mock-channel-user': 'Us1' } }),
  }
}
