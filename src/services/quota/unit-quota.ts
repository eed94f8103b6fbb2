import type { WaveName } from '../../contract/enums.ts'
import type { UnitQuota, UnitQuotaQuery } from '../../contract/identity/unit-quota.ts'
import { limits } from '../../contract/limits.ts'
import type { MessageListItem } from '../../contract/messages/list.ts'
import { type Hold, readHolds } from '../../db/queries/quota/holds.ts'
import { readAccounts } from '../../db/queries/quota/ledger.ts'
import { poolScope } from '../../db/queries/quota/reservation.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { thresholdOf } from '../../domain/message/quota.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { messagesOf } from '../messages/read.ts'
import { orNotFound, unitsOf } from '../unit-access.ts'

/**
 * The quota of one of the caller's units in a month, and which messages reserve it.
 * @throws ServiceError not_found
 */
export async function getUnitQuota(
  services: Services,
  principal: Principal,
  id: string,
  { month }: UnitQuotaQuery,
): Promise<UnitQuota> {
  const { db, quotaTimeZone } = services
  const unitId = orNotFound(
    unitsOf(principal).find((own) => own === id),
    'unit',
  )
  const day = month ? `${month}-01` : monthOf(new Date(), quotaTimeZone)
  const [own, shared, held] = await Promise.all([
    readAccounts(db, unitId, day),
    readAccounts(db, poolScope, day),
    readHolds(db, unitId, day, limits.quotaHolds),
  ])
  const messages = await holdersOf(services, principal, held)
  return {
    month: day.slice(0, 7),
    channels: own.map(({ channel, defaultLimit: _, ...unit }, index) => {
      const { limit, reserved, committed } = shared[index]!
      return {
        channel,
        unit,
        pool: { limit, reserved, committed },
        threshold: thresholdOf(unit),
        holds: held.filter((hold) => hold.channel === channel).flatMap((hold) => holdOf(hold, messages)),
      }
    }),
  }
}

async function holdersOf(services: Services, principal: Principal, held: readonly Hold[]) {
  const ids = [...new Set(held.map(({ messageId }) => messageId))]
  const messages = ids.length === 0 ? [] : await messagesOf(services, principal, ids)
  return new Map(messages.map((message) => [message.id, message]))
}

/** Empty for a message that is gone since its reservation was read. */
function holdOf(
  { messageId, number, pushes }: Hold,
  messages: ReadonlyMap<string, MessageListItem>,
): UnitQuota['channels'][number]['holds'] {
  const message = messages.get(messageId)
  if (!message) return []
  const { title, startsAt, remindAt } = message
  const of: { wave: WaveName; sendAt: string | null } =
    number === 0 ? { wave: 'first', sendAt: startsAt } : { wave: 'reminder', sendAt: remindAt }
  return [{ messageId, title, ...of, pushes }]
}
