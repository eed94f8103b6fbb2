import { isGrpcServiceError } from '@temporalio/client'
import { type LateRun, markWedged, pokesInARow, takeLateRuns } from '../db/queries/run/late.ts'
import { mainQueue, messageRunId } from '../domain/run-names.ts'
import { repairs } from './metrics.ts'
import type { PokeParts } from './poke.ts'
import { sendPoke } from './send-poke.ts'
import type { Temporal } from './temporal.ts'

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

/**
 * What wakes the runs that did not look at their row in time; one call is one look over the rows, and answers whether
 * there are more, and hands for them. Every worker process has one; they share the work by SKIP LOCKED.
 */
export function wakingRuns(parts: PokeParts): () => Promise<boolean> {
  const { db, temporal, reach } = parts
  let limit = perRound.few

  return async () => {
    const atMost = limit
    limit = perRound.few
    if (!(await reach.ready())) return false
    const late = await takeLateRuns(db, atMost)
    await Promise.all(late.map((run) => wake(parts, run)))
    const more = late.length === atMost && (await waitingRuns(temporal)) < backlog
    if (more) limit = perRound.many
    return more
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
