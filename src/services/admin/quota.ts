import type { QuotaAccount, QuotaQuery, SetQuota } from '../../contract/admin/quota.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { readAccounts, setDefaultLimit, setLimit } from '../../db/queries/quota/ledger.ts'
import { type AccountKey, lockAccount } from '../../db/queries/quota/reservation.ts'
import { changedFields } from '../../domain/lib/changed-fields.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { thresholdOf } from '../../domain/message/quota.ts'
import type { Page } from '../page.ts'
import { assertUnit } from './units.ts'

/** The time zone of months. */
type Zone = { quotaTimeZone: string }

/** @throws ServiceError not_found */
export async function getQuota(
  db: Db,
  { quotaTimeZone }: Zone,
  query: QuotaQuery,
): Promise<Page<QuotaAccount>> {
  const { scope, month } = query
  if (scope !== 'pool') await assertUnit(db, scope)
  const day = month ? `${month}-01` : monthOf(new Date(), quotaTimeZone)
  const accounts = await readAccounts(db, scope, day)
  const items = accounts.map((account) => ({
    scope,
    month: day.slice(0, 7),
    ...account,
    threshold: thresholdOf(account),
  }))
  return { items, nextCursor: null }
}

/**
 * Sets the limit of one month, or without a month that of the current month and later ones.
 * @throws ServiceError not_found, quota_exceeded with details {used}
 */
export async function setQuota(db: Db, actor: string, zone: Zone, change: SetQuota): Promise<QuotaAccount> {
  const { scope, channel, limit, month } = change
  if (scope !== 'pool') await assertUnit(db, scope)
  await db.transaction().execute(async (trx) => {
    const unitId = scope === 'pool' ? null : scope
    const day = month ? `${month}-01` : monthOf(new Date(), zone.quotaTimeZone)
    const account = { scope, channel, month: day }
    await lockAccount(trx, account)
    const before = await limitsOf(trx, account)
    if (month === undefined) await setDefaultLimit(trx, { scope, channel, limit })
    await setLimit(trx, { ...account, limit })
    if (changedFields(before, await limitsOf(trx, account)).length === 0) return
    await insertAudit(trx, {
      unitId,
      actor,
      action: 'set',
      details: { channel, limit, month: month ?? null },
      objectKind: 'quota',
      objectId: scope,
    })
  })
  const { items } = await getQuota(db, zone, { scope, month })
  return items.find((account) => account.channel === channel)!
}

/** The limit of an account's month, and the one that new months start with. */
async function limitsOf(trx: Trx, { scope, channel, month }: AccountKey) {
  const { limit, defaultLimit } = (await readAccounts(trx, scope, month)).find(
    (account) => account.channel === channel,
  )!
  return { limit, defaultLimit }
}
