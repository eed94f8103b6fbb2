import { repoke } from '../db/queries/poker.ts'
import { messageIdOf } from '../domain/run-names.ts'
import type { PokeParts } from './poke.ts'
import type { Temporal } from './temporal.ts'

/** A round may ask Temporal for so long, ms. */
const askMs = 5_000
/**
 * How far back a round asks, ms: more than the pause between two, the lag of Temporal's index and clocks apart; the first
 * one for what was ended while no worker was there.
 */
const back = { first: 24 * 3_600_000, later: 120_000 }
/** A run that ends again and again is brought back no more often than this, ms. */
const restMs = 60_000

/** Runs that a run never ends as by itself: an operator's hand, or a fault of ours. */
const endings = `WorkflowType = 'messageIntent' and ExecutionStatus in ('Terminated', 'Failed', 'TimedOut')`

/**
 * What brings back runs that were ended in Temporal although their message is open; one call is one round, and
 * answers that the next need not follow at once. Without it they come back at their next moment, which may be days away
 * (design 1, Operators' hands).
 */
export function returning({ db, temporal, reach, log }: PokeParts): () => Promise<false> {
  /** When each message's run was last brought back, and which it was. */
  const returned = new Map<string, { runId: string; at: number }>()
  let backMs = back.first

  return async () => {
    if (!(await reach.ready())) return false
    const now = Date.now()
    const ended = await endedSince(temporal, new Date(now - backMs))
    backMs = back.later
    for (const [id, { at }] of returned) if (now - at > 2 * back.later) returned.delete(id)
    const lost = [...ended].filter(([id, runId]) => {
      const last = returned.get(id)
      return last === undefined || (last.runId !== runId && now - last.at > restMs)
    })
    const open =
      lost.length > 0
        ? await repoke(
            db,
            lost.map(([id]) => id),
          )
        : 0
    for (const [id, runId] of lost) returned.set(id, { runId, at: now })
    if (open > 0) log.warn({ runs: open }, 'Runs were ended in Temporal although their messages are open')
    return false
  }
}

/** The last run of each message that was ended since then. */
async function endedSince({ client, within }: Temporal, since: Date): Promise<Map<string, string>> {
  const query = `${endings} and CloseTime > '${since.toISOString()}'`
  return within(askMs, async () => {
    const ended = new Map<string, string>()
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      const id = messageIdOf(workflowId)
      // The newest come first.
      if (id !== null && !ended.has(id)) ended.set(id, runId)
    }
    return ended
  })
}
