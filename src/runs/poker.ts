import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError } from '@temporalio/client'
import { type LateRun, markWedged, pokesInARow, takeLateRuns } from '../db/queries/poker.ts'
import { messageRunId } from '../domain/run-names.ts'
import { repairs } from './metrics.ts'
import type { PokeParts } from './poke.ts'
import { sendPoke } from './send-poke.ts'
import type { Temporal } from './temporal.ts'

/** How often rows are looked over, and how long the poker rests when Postgres fails; ms. */
const pauses = { round: 500, failure: 2_000 }
/** Rows taken in one round, all poked at once. */
const perRound = 50
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
  while (!stopping.aborted) {
    const pauseMs = await round(parts)
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
  }
}

/** One look over the rows. Answers the pause until the next, ms: none while there are more. */
async function round({ db, temporal, reach, log }: PokeParts): Promise<number> {
  try {
    if (!(await reach.ready())) return pauses.round
    const late = await takeLateRuns(db, perRound)
    await Promise.all(late.map((run) => wake({ db, temporal, reach, log }, run)))
    return late.length === perRound ? 0 : pauses.round
  } catch (error) {
    log.warn({ failed: (error as Error).name }, 'The poker could not read the rows; tries again')
    return pauses.failure
  }
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
  } catch (error) {
    reach.lost(error)
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
