import { upsertPerson } from '../dev/people.ts'
import { channels } from '../src/contract/enums.ts'
import type { Db } from '../src/db/connect.ts'
import { insertCategory } from '../src/db/queries/catalogue/category.ts'
import { insertClaims } from '../src/db/queries/event/source-claim.ts'
import { insertMember } from '../src/db/queries/identity/person.ts'
import { insertUnit } from '../src/db/queries/identity/unit.ts'
import { setDefaultLimit } from '../src/db/queries/quota/ledger.ts'
import { createKey } from '../src/services/admin/keys.ts'
import { createSession } from '../src/services/identity/session.ts'
import { chatCategory, consentScope, eventSource, mailCategory } from './names.ts'

/** A quota that no bench uses up. */
export const plenty = 100_000_000

/** What the keys of the bench may do. */
export const keyRights = {
  categories: null,
  dimensions: null,
  individualTargeting: true,
  groupWriting: true,
  handoffReply: false,
}

/** Credentials for the API: a producer key, and the session of an approver who also writes. */
export type Credentials = { key: string; session: string }

/** Creates a unit with ample quota, a chat category that requires consent, and a mail category. */
export async function setUpUnit(db: Db): Promise<Credentials> {
  const { id: unitId } = await insertUnit(db, { name: 'Bench', kind: 'ordinary' })
  await insertCategory(db, {
    id: chatCategory,
    name: { 'zh-TW': '聊天', en: 'Chat' },
    layer: 'promotional',
    consentScope,
    channelPlan: { mode: 'all', channels: ['chat'] },
  })
  await insertCategory(db, {
    id: mailCategory,
    name: { 'zh-TW': '郵件', en: 'Mail' },
    layer: 'service',
    channelPlan: { mode: 'all', channels: ['email'] },
  })
  for (const channel of channels) await setDefaultLimit(db, { scope: unitId, channel, limit: plenty })
  const { key } = await createKey(db, 'operator:cli', { unitId, name: 'bench', ...keyRights })
  await insertClaims(db, { unitId, sources: [eventSource], claimedBy: 'operator:cli' })
  const approver = { email: 'approver@campus.example.edu', name: 'Approver', notices: false }
  const personId = await upsertPerson(db, approver)
  await insertMember(db, unitId, personId, ['approver', 'editor'])
  const { token } = await createSession(db, 'operator:cli', { personId, hours: 24 })
  return { key, session: token }
}
