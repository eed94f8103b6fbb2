import type { Trx } from '../../db/connect.ts'
import { takeCallbackDeliveries } from '../../db/queries/callback-due.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import { type DeliverParts, deliver } from './deliver.ts'

/** How often due deliveries are looked for, ms. */
const roundMs = 1_000
/** Tries under way at the same time in this process, and for one callback in all of them. */
const most = { underWay: 32, perCallback: 4 }
/** Longer than a try may take; when a worker dies, somebody else tries again after it. */
const leaseSeconds = 30

/** Tells callbacks what is to be told, until it is stopped; tries under way are then finished. */
export function startCallbacks(parts: DeliverParts): Rounds {
  const underWay = new Set<Promise<void>>()
  const rounds = startRounds({ log: parts.log, what: 'callbacks', everyMs: roundMs }, async () => {
    const limit = most.underWay - underWay.size
    const { perCallback } = most
    const take = (trx: Trx) => takeCallbackDeliveries(trx, { limit, perCallback, leaseSeconds })
    const due = limit > 0 ? await parts.db.transaction().execute(take) : []
    for (const delivery of due) {
      const trying = deliver(parts, delivery)
        .catch((err: unknown) =>
          parts.log.warn({ deliveryId: delivery.id, err }, 'A try of a callback broke off'),
        )
        .finally(() => underWay.delete(trying))
      underWay.add(trying)
    }
    return due.length > 0
  })
  return {
    async stop() {
      await rounds.stop()
      await Promise.all(underWay)
    },
  }
}
