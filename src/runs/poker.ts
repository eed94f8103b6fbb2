import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError } from '@temporalio/client'
import { type LateRun, markWedged, pokesInARow, takeLateRuns } from '../db/queries/run/late.ts'
import { mainQueue, messageRunId } from '../domain/run-names.ts'
import { repairs } from './metrics.ts'
import type { PokeParts } from './poke.ts'
import { sendPoke } from './send-poke.ts'
import type { Temporal } from './temporal.ts'

/** How often rows are looked over, and how long the poker rests when Postgres fails; ms. */
const pauses = { round: 500, failure: 2_000 }
/**
 * Rows taken in one round, all poked at once: many only while runs are not short of hands. A poke for each run of a
 * backlog would only make it longer.
 */
const perRound = { few: 10, many: 50 }
/** So many runs that wait for a worker are a backlog. */
const backlog = 20
/** A workflow task that is tried for the third time fails by our code, not by chance. */
const wedgedAttempts = 3
const describeMs = 1_000
/** The gRPC status for it. */
const notFound = 5

/** Wakes the runs that did not look at their row in time: the one repair for everything that can go wrong on the way. */
export type Poker = { stop(): Promise<void> }

/** Starts the poker; every worker process has one, and they share the work by SKIP LOCKED. */
export function startPoker(parts: PokeParts): Poker {
  const stopping = new AbortController()
  const done = rounds(parts, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

async function rounds(parts: PokeParts, stopping: AbortSignal): Promise<void> {
  let limit = perRound.few
  while (!stopping.aborted) {
    const { pauseMs, more } = await round(parts, limit)
    limit = more ? perRound.many : perRound.few
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
  }
}

/** One look over the rows. Answers the pause until the next, ms: none while there are more, and hands for them. */
async function round(parts: PokeParts, limit: number): Promise<{ pauseMs: number; more: boolean }> {
  const { db, temporal, reach, log } = parts
  try {
    if (!(await reach.ready())) return { pauseMs: pauses.round, more: false }
    const late = await takeLateRuns(db, limit)
    await Promise.all(late.map((run) => wake(parts, run)))
    const more = late.length === limit && (await waitingRuns(temporal)) < backlog
    return { pauseMs: more ? 0 : pauses.round, more }
  } catch (err) {
    log.warn({ err }, 'The poker could not read the rows, or the queue; tries again')
    return { pauseMs: pauses.failure, more: false }
  }
}

/** How many runs wait for a worker to take their step, as far as Temporal knows. */
async function waitingRuns({ connection, namespace, within }: Temporal): Promise<number> {
  const { stats } = await within(describeMs, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: mainQueue },
      reportStats: true,
    }),
  )
  return Number(stats?.approximateBacklogCount ?? 0)
}

async function wake({ db, temporal, reach, log }: PokeParts, run: LateRun): Promise<void> {
  try {
    if (run.pokes > pokesInARow && !run.wedged) {
      const attempts = await taskAttempts(temporal, run.id)
      log.warn({ messageId: run.id, pokes: run.pokes, attempts }, 'A run does not look at its row')
      if (attempts >= wedgedAttempts) await markWedged(db, run.id)
    }
    await sendPoke(temporal, run, 'changed')
    repairs.inc()
  } catch (err) {
    reach.doubt()
    if (run.pokes > pokesInARow)
      log.warn({ messageId: run.id, pokes: run.pokes, err }, 'A run cannot be poked')
  }
}

/** How often the run's workflow task has been tried; 0 where none is waiting. */
async function taskAttempts({ connection, namespace, within }: Temporal, messageId: string): Promise<number> {
  const execution = { workflowId: messageRunId(messageId) }
  const described = await within(describeMs, () =>
    connection.workflowService.describeWorkflowExecution({ namespace, execution }).catch(unlessUnknown),
  )
  return described?.pendingWorkflowTask?.attempt ?? 0
}

/** A run that never was, or is long forgotten, has no task: a poke makes a new one. */
function unlessUnknown(error: unknown): undefined {
  if (isGrpcServiceError(error) && error.code === notFound) return undefined
  throw error
}
