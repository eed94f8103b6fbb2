import type { Trx } from '../db/connect.ts'
import { takeCallbackDeliveries } from '../db/queries/callback/delivery.ts'
import { type DeliverDeps, deliver } from '../services/callbacks/deliver.ts'
import type { Task } from './poll-loop.ts'

/** Tries under way at the same time in this process, of them for one unit, and for one callback in all processes. */
const limits = { underWay: 32, perUnit: 16, perCallback: 4 }
/** Longer than a try may take; when a worker dies, somebody else tries again after it. */
const leaseSeconds = 30

/** Tells callbacks what is to be told: a round takes what is due, as far as there are places, and waits for no try. */
export function callbackDeliver(parts: DeliverDeps): Task {
  /** With the unit of each. */
  const underWay = new Map<Promise<void>, string>()
  const run = async () => {
    const limit = limits.underWay - underWay.size
    const { perCallback, perUnit } = limits
    const places = { limit, perCallback, perUnit, busy: counted(underWay.values()), leaseSeconds }
    const take = (trx: Trx) => takeCallbackDeliveries(trx, places)
    const due = limit > 0 ? await parts.db.transaction().execute(take) : []
    for (const delivery of due) {
      const trying = deliver(parts, delivery)
        .catch((err: unknown) =>
          parts.log.warn({ deliveryId: delivery.id, err }, 'A try of a callback broke off'),
        )
        .finally(() => underWay.delete(trying))
      underWay.set(trying, delivery.unitId)
    }
    return due.length > 0
  }
  const finish = async () => void (await Promise.all(underWay.keys()))
  return { name: 'callback-deliver', everyMs: 1_000, run, finish }
}

function counted(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
