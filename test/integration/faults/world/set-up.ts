import { upsertPerson } from '../../../../dev/people.ts'
import type { Db } from '../../../../src/db/connect.ts'
import { insertCategory } from '../../../../src/db/queries/catalogue/category.ts'
import { insertClaims } from '../../../../src/db/queries/event/source-claim.ts'
import { insertMember } from '../../../../src/db/queries/identity/person.ts'
import { insertUnit } from '../../../../src/db/queries/identity/unit.ts'
import { setDefaultLimit } from '../../../../src/db/queries/quota/ledger.ts'
import { createKey } from '../../../../src/services/admin/keys.ts'
import { createSession } from '../../../../src/services/identity/session.ts'
import { targetingRights } from '../../../fixtures/seed.ts'
import { canary } from './canaries.ts'

const plenty = 100_000_000

export type UnitSetup = { unitId: string; key: string; session: string }

/** A category `notice` on chat, and a unit that may use it. */
export async function setUpUnit(db: Db): Promise<UnitSetup> {
  await insertCategory(db, {
    id: 'notice',
    name: { 'zh-TW': '通知', en: 'Notice' },
    layer: 'service',
    channelPlan: { mode: 'first_available', channels: ['chat'] },
  })
  await setDefaultLimit(db, { scope: 'pool', channel: 'chat', limit: 0 })
  const unit = await setUpExtraUnit(db, 'Registry')
  await insertClaims(db, { unitId: unit.unitId, sources: ['registry'], claimedBy: 'test' })
  return unit
}

/** A unit with a producer key, an approver's session, and more quota than can be used. */
export async function setUpExtraUnit(db: Db, name: string): Promise<UnitSetup> {
  const { id: unitId } = await insertUnit(db, { name, kind: 'ordinary' })
  await setDefaultLimit(db, { scope: unitId, channel: 'chat', limit: plenty })
  const { key } = await createKey(db, 'test', { unitId, name: 'faults', ...targetingRights })
  const personId = await upsertPerson(db, { email: `${name}-${canary.email}`, name: canary.name })
  await insertMember(db, unitId, personId, ['approver'])
  // A notice may or may not be sent between submit and approve: it would be counted among the mails of a message.
  await db.updateTable('person').set({ notices: false }).where('id', '=', personId).execute()
  const { token } = await createSession(db, 'test', { personId, hours: 24 })
  return { unitId, key, session: token }
}
