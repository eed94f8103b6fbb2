import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { runCard } from '../db/queries/run/late.ts'
import type { RunKind, SignalName } from '../domain/signals.ts'
import { pokes } from './metrics.ts'
import type { Reach } from './reach.ts'
import { sendPoke } from './send-poke.ts'
import type { Temporal } from './temporal.ts'

/**
 * Tells a run to look again at its row; for after the commit. Returns at once, never throws and promises nothing: what
 * is lost, the poker finds by the row.
 */
export type Poke = (kind: RunKind, id: string, signal: SignalName) => void

/** Pokes under way at the same time, and pokes that wait for their turn. */
const most = { underWay: 50, waiting: 1_000 }

/**
 * A poke that keeps itself small: one id is under way once, later pokes for it melt into one that follows, and past
 * `most.waiting` ids they are dropped.
 */
export function createPoke({ db, temporal, reach, log }: PokeParts): Poke {
  const waiting = new Map<string, SignalName>()
  const underWay = new Set<string>()

  function next(): void {
    for (const [id, signal] of waiting) {
      if (underWay.size >= most.underWay) return
      if (underWay.has(id)) continue
      waiting.delete(id)
      underWay.add(id)
      void deliver(id, signal).finally(() => {
        underWay.delete(id)
        next()
      })
    }
  }

  async function deliver(id: string, signal: SignalName): Promise<void> {
    try {
      const card = (await reach.ready()) && (await runCard(db, id))
      if (!card) return pokes.inc({ outcome: 'dropped' })
      await sendPoke(temporal, card, signal).catch((error) => {
        reach.doubt()
        throw error
      })
      pokes.inc({ outcome: 'sent' })
    } catch (err) {
      pokes.inc({ outcome: 'failed' })
      log.debug({ messageId: id, signal, err }, 'A poke failed; the poker repeats it')
    }
  }

  return (_kind, id, signal) => {
    if (!waiting.has(id) && waiting.size >= most.waiting) return pokes.inc({ outcome: 'dropped' })
    waiting.set(id, signal)
    next()
  }
}

export type PokeParts = { db: Db; temporal: Temporal; reach: Reach; log: Logger }
