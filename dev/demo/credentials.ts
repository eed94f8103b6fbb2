import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../src/db/connect.ts'
import { findCredential } from '../../src/db/queries/identity/key.ts'
import { findSessionPrincipal } from '../../src/db/queries/identity/session.ts'
import { createKey, type KeyRights } from '../../src/services/admin/keys.ts'
import { createSession } from '../../src/services/identity/session.ts'
import { sha256 } from '../../src/signing.ts'
import { categories, type Units } from './catalogue.ts'
import type { StaffKey } from './staff.ts'

/** Keys and sessions of the demo. Carillon shows them only once, so demo.json keeps them. */
export type Credentials = {
  producerKey: string
  /** A key of the same unit that may target individuals. */
  targetingKey: string
  administrativeKey: string
  otherUnitKey: string
  sessions: { editor: string; approver: string; otherApprover: string }
}

const actor = 'operator:cli'
const sessionHours = 365 * 24
const everything: KeyRights = {
  categories: null,
  dimensions: null,
  individualTargeting: true,
  groupWriting: true,
  handoffReply: true,
}

/** The demo key's rights: all categories but one, some dimensions, groups, and no individual targeting. */
const producerRights: KeyRights = {
  categories: [categories.events, categories.academic, categories.admission, categories.emergency].map(
    ({ id }) => id,
  ),
  dimensions: ['all', 'roles', 'stages', 'classIds', 'tags', 'history'],
  individualTargeting: false,
  groupWriting: true,
  handoffReply: false,
}

/** Reuses the credentials of an earlier start that are still valid, and creates the others. */
export async function ensureCredentials(
  db: Db,
  dataDir: string,
  units: Units,
  staff: Record<StaffKey, string>,
): Promise<Credentials> {
  const kept = readKept(dataDir)
  const key = async (keptKey: string | undefined, unitId: string, name: string, rights: KeyRights) =>
    keptKey && (await opens(db, keptKey))
      ? keptKey
      : (await createKey(db, actor, { unitId, name, ...rights })).key
  const session = async (who: keyof Credentials['sessions']) => {
    const token = kept.sessions?.[who]
    if (token && (await findSessionPrincipal(db, sha256(token)))) return token
    return (await createSession(db, actor, { personId: staff[who], hours: sessionHours })).token
  }
  return {
    producerKey: await key(kept.producerKey, units.unit.id, '示範系統 Demo system', producerRights),
    targetingKey: await key(kept.targetingKey, units.unit.id, '個別通知 Individual notices', everything),
    administrativeKey: await key(
      kept.administrativeKey,
      units.administrative.id,
      '身分同步 Identity sync',
      everything,
    ),
    otherUnitKey: await key(kept.otherUnitKey, units.other.id, '圖書館系統 Library system', everything),
    sessions: {
      editor: await session('editor'),
      approver: await session('approver'),
      otherApprover: await session('otherApprover'),
    },
  }
}

function readKept(dataDir: string): Partial<Credentials> {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  } catch {
    return {}
  }
}

async function opens(db: Db, key: string): Promise<boolean> {
  const [, id, secret] = key.split('_')
  const credential = id === undefined ? undefined : await findCredential(db, id)
  return credential !== undefined && !credential.revoked && credential.secretHash.equals(sha256(secret ?? ''))
}
