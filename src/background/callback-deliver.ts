import type { Trx } from '../db/connect.ts'
import { takeCallbackDeliveries } from '../db/queries/callback/delivery.ts'
import { type DeliverDeps, deliver } from '../services/callbacks/deliver.ts'
import type { Task } from './poll-loop.ts'

/** Tries in flight: per process, per unit within a process, and per callback across all processes. */
const limits = { inFlight: 32, perUnit: 16, perCallback: 4 }
/** Longer than a try may take. After it, another worker retries the deliveries that a dead worker had leased. */
const leaseSeconds = 30

/** Delivers to callbacks. A round takes due deliveries up to the limits, and does not wait for their tries. */
export function callbackDeliver(parts: DeliverDeps): Task {
  /** The unit of each try in flight. */
  const inFlight = new Map<Promise<void>, string>()
  const run = async () => {
    const limit = limits.inFlight - inFlight.size
    const { perCallback, perUnit } = limits
    const slots = { limit, perCallback, perUnit, busy: counted(inFlight.values()), leaseSeconds }
    const take = (trx: Trx) => takeCallbackDeliveries(trx, slots)
    const due = limit > 0 ? await parts.db.transaction().execute(take) : []
    for (const delivery of due) {
      const trying = deliver(parts, delivery)
        .catch((err: unknown) =>
          parts.log.warn(
            { deliveryId: delivery.id, err },
            'Recording a callback delivery failed; it is retried when its lease ends',
          ),
        )
        .finally(() => inFlight.delete(trying))
      inFlight.set(trying, delivery.unitId)
    }
    return due.length > 0
  }
  const finish = async () => void (await Promise.all(inFlight.keys()))
  return { name: 'callback-deliver', everyMs: 1_000, run, finish }
}

function counted(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
