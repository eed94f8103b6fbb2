import { ping } from '../db/connect.ts'
import { repoke } from '../db/queries/run/late.ts'
import { messageIdOf } from '../domain/run-names.ts'
import type { PokeParts } from './poke.ts'
import type { Temporal } from './temporal.ts'

/** Temporal may take so long for a page of its list, ms. */
const askMs = 5_000
/**
 * How far back a round asks, ms: more than the pause between two, the lag of Temporal's index and clocks apart; the first
 * one for what was ended while no worker was there.
 */
const back = { first: 24 * 3_600_000, later: 120_000 }
/** A run that ends again and again is brought back no more often than this, ms. */
const restMs = 60_000
/** One that cannot be brought back is tried again after this, then after twice as long each time, up to `restMs`. */
const firstWaitMs = 5_000

/** Runs that a run never ends as by itself: an operator's hand, or a fault of ours. */
const endings = `WorkflowType = 'messageIntent' and ExecutionStatus in ('Terminated', 'Failed', 'TimedOut')`

/** Which run of a message had ended when it was last brought back; `failures`: how often in a row that failed. */
type Returned = { runId: string; at: number; failures: number }

/**
 * What brings back runs that were ended in Temporal although their message is open; one call is one round, and
 * answers that the next need not follow at once. Without it they come back at their next moment, which may be days away.
 */
export function restartingRuns(parts: PokeParts): () => Promise<false> {
  const { temporal, reach, log } = parts
  const returned = new Map<string, Returned>()
  let backMs = back.first

  return async () => {
    if (!(await reach.ready())) return false
    const now = Date.now()
    const ended = await endedSince(temporal, new Date(now - backMs))
    forgetOld(returned, now)
    for (const [id, { runId, failures }] of returned) if (failures > 0 && !ended.has(id)) ended.set(id, runId)
    const lost = [...ended].filter(([id, runId]) => isDue(returned.get(id), runId, now)).map(([id]) => id)
    const { open, failed } = await bringBack(parts, lost)
    for (const id of lost) {
      const failures = failed.has(id) ? (returned.get(id)?.failures ?? 0) + 1 : 0
      returned.set(id, { runId: ended.get(id)!, at: now, failures })
    }
    backMs = back.later
    if (open > 0) log.warn({ runs: open }, 'Runs were ended in Temporal although their messages are open')
    return false
  }
}

/**
 * The last run of each message that was ended since then. Of Temporal's list only the names are read: what else stands in
 * an entry, anybody may have written.
 */
async function endedSince(
  { connection, namespace, within }: Temporal,
  since: Date,
): Promise<Map<string, string>> {
  const query = `${endings} and CloseTime > '${since.toISOString()}'`
  const ended = new Map<string, string>()
  let nextPageToken: Uint8Array = new Uint8Array()
  do {
    const page = await within(askMs, () =>
      connection.workflowService.listWorkflowExecutions({ namespace, query, nextPageToken }),
    )
    for (const { execution } of page.executions) {
      const id = messageIdOf(execution?.workflowId ?? '')
      // The newest come first.
      if (id !== null && !ended.has(id)) ended.set(id, execution?.runId ?? '')
    }
    nextPageToken = page.nextPageToken
  } while (nextPageToken.length > 0)
  return ended
}

/** One that could not be brought back stays, so that it is tried again when Temporal's list has long forgotten it. */
function forgetOld(returned: Map<string, Returned>, now: number): void {
  for (const [id, { at, failures }] of returned)
    if (failures === 0 && now - at > 2 * back.later) returned.delete(id)
}

function isDue(last: Returned | undefined, runId: string, now: number): boolean {
  if (last === undefined) return true
  const { failures, at } = last
  if (failures === 0) return last.runId !== runId && now - at > restMs
  return now - at >= Math.min(restMs, firstWaitMs * 2 ** (failures - 1))
}

/** How many of the messages are open, and which could not be written. */
type BroughtBack = { open: number; failed: ReadonlySet<string> }

/**
 * Has the runs of these messages look again, all in one statement; where that fails although the database answers, in
 * halves, so that in the end a row that cannot be written stands alone.
 */
async function bringBack(parts: PokeParts, ids: string[]): Promise<BroughtBack> {
  if (ids.length === 0) return { open: 0, failed: new Set() }
  try {
    return { open: await repoke(parts.db, ids), failed: new Set() }
  } catch (err) {
    await ping(parts.db)
    if (ids.length === 1) {
      parts.log.warn({ messageId: ids[0], err }, 'A run that was ended in Temporal could not be brought back')
      return { open: 0, failed: new Set(ids) }
    }
    const half = Math.ceil(ids.length / 2)
    const one = await bringBack(parts, ids.slice(0, half))
    const other = await bringBack(parts, ids.slice(half))
    return { open: one.open + other.open, failed: new Set([...one.failed, ...other.failed]) }
  }
}
