import { channelFacts } from '../../channels/facts/by-channel.ts'
import type { NodeKind } from '../../contract/enums.ts'
import { RetryLater } from '../../contract/errors.ts'
import { giveUpPlaces } from '../../db/queries/pattern/registration.ts'
import {
  type ObservedRun,
  observeRun,
  type ScenarioRunView,
} from '../../db/queries/scenario-run/observe-run.ts'
import { turnLeaseMs } from '../../db/queries/scenario-run/turn.ts'
import {
  type NextWakeup,
  recordGone,
  recordSeen,
  writeMove,
} from '../../db/queries/scenario-run/write-move.ts'
import type { Advance, RegisterStep, RunFacts, RunMove, Standing } from '../../domain/scenario/advance.ts'
import { countHandoff } from '../../metrics/rows.ts'
import { countRunEnd } from '../../metrics/runs.ts'
import type { Services } from '../../services/context.ts'
import { register } from '../../services/patterns/register.ts'
import { configured } from '../../services/scenario-runs/compile-turn.ts'
import { applyEffect } from '../../services/scenario-runs/effects.ts'
import { factsOfRun } from '../../services/scenario-runs/facts-of-run.ts'
import { startByJump } from '../../services/scenario-runs/jump.ts'
import { type ToldRun, wakeRuns } from '../../services/wake-scenario-runs.ts'

/**
 * A run that was advanced: where it stands now, and how it is shown. `now`: Postgres' clock, ms. `kind`: of its node, until the
 * person has answered: the way behind a question is personal. Null: there is no run.
 */
export type Advanced = (ScenarioRunView & { now: number; kind: NodeKind | null } & Standing) | null

/**
 * The reconciler wakes a run that has not observed its row for this long (docs/design/rows-and-runs.md); one that says a
 * turn once the lease of a lost try is over.
 */
const stepLimitMs = 60_000

/**
 * Reads a run by Postgres' clock, moves it as far as it goes by itself, and answers what it does next. What it writes
 * takes effect only on the row that was read: if that has changed meanwhile, it is read again. A request for a place of a
 * pattern is decided on the way, in a transaction of its own: asked again after a crash, it has the same answer.
 */
export async function advanceRun(services: Services, runId: string): Promise<Advanced> {
  let registered: RunFacts['registered'] = null
  for (;;) {
    const observation = await observeRun(services.db, runId)
    if (!observation) {
      if (await recordGone(services.db, runId)) countRunEnd('scenario', 'cancelled')
      return null
    }
    const facts = { ...factsOfRun(services, observation), registered }
    const { move, step } = await decide(services, observation, facts)
    registered = null
    const isCurrent = move
      ? await write(services, { ...observation, facts }, move, nextWakeup(step))
      : await recordSeen(services.db, observation, nextWakeup(step))
    if (!isCurrent) continue
    if (move) countHandoffs(observation, move)
    if (step.at !== 'register') {
      const view = viewAfter(observation, move)
      if (step.at === 'ended' && (move || observation.isNew)) countRunEnd('scenario', view.state)
      return { ...view, now: observation.now, kind: kindShown(observation, move), ...step }
    }
    registered = await registerRun(services, observation, step)
  }
}

/** What the run does; it waits if its unit has used up the steps in which its texts are rendered. */
async function decide(
  { channels, rendering }: Services,
  { run, now, speaking, channels: plan }: ObservedRun,
  facts: RunFacts,
): Promise<Advance> {
  const task = { facts, now, speaking, plan, configured: configured(channels) }
  try {
    return await rendering.run(run.unitId, 'advance', task)
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error
    return { move: null, step: { at: 'rendering', until: now + rendering.laterMs(run.unitId) } }
  }
}

/** Asks for a place. Null: the run is over, which it reads itself. */
async function registerRun(
  { db }: Services,
  { run }: ObservedRun,
  { node, ...asking }: RegisterStep,
): Promise<RunFacts['registered']> {
  if (run.patternId === null) throw new Error(`the scenario of run ${run.id} belongs to no pattern`)
  const result = await register(db, { ...run, patternId: run.patternId }, asking)
  return result && { node, result }
}

/** When the reconciler has to wake a run that does not act by itself. */
function nextWakeup(step: Advance['step']): NextWakeup {
  if (step.at === 'ended') return null
  if (
    step.at === 'turn' &&
    (step.channel === 'page' || channelFacts[step.channel].longestTryMs < turnLeaseMs)
  )
    return { inMs: turnLeaseMs }
  if (!('until' in step)) return { inMs: stepLimitMs }
  return step.until === null ? null : { at: step.until }
}

/**
 * Alone, the statement needs no transaction; the effects of nodes and a jump are written with it, and what the end of a run
 * gives up.
 */
async function write(
  services: Services,
  observation: ObservedRun,
  move: RunMove,
  next: NextWakeup,
): Promise<boolean> {
  const { jump } = move
  // A test changes nothing but itself; its tester closes its handoff.
  const effects = move.effects.filter(({ kind }) => kind === 'handOver' || !observation.run.test)
  const leaves =
    move.state !== 'running' && move.state !== 'waiting' && observation.facts.pattern?.own?.byThisRun === true
  if (effects.length === 0 && jump === null && !leaves) return writeMove(services.db, observation, move, next)
  const woken: ToldRun[] = []
  const isCurrent = await services.db.transaction().execute(async (trx) => {
    if (!(await writeMove(trx, observation, move, next))) return false
    for (const effect of effects) await applyEffect(trx, observation, effect)
    // The jump locks other runs of the person, and runs come before patterns.
    if (jump) woken.push(...(await startByJump(trx, observation, jump)))
    if (leaves) await giveUpPlaces(trx, [observation.run.id])
    return true
  })
  if (isCurrent) wakeRuns(services, woken)
  return isCurrent
}

/** Counts the handoff that a move has opened, and the one that it left by its time-out. */
function countHandoffs({ facts }: ObservedRun, { effects, steps }: RunMove): void {
  if (effects.some(({ kind }) => kind === 'handOver')) countHandoff('opened')
  const timedOut = steps.some(({ node, edge }) => node === facts.node && edge?.when?.kind === 'timeout')
  if (facts.handoff === 'open' && timedOut) countHandoff('timeout')
}

function viewAfter({ view }: ObservedRun, move: RunMove | null): ScenarioRunView {
  if (!move) return view
  return { ...view, version: view.version + 1, state: move.state }
}

/** The kind of the node at which a run is; null once the person has answered: the way behind a question is theirs. */
function kindShown({ facts }: ObservedRun, move: RunMove | null): NodeKind | null {
  const { node, values } = move ?? facts
  if (Object.keys(values.answers).length > 0) return null
  return facts.scenario.graph.nodes.find(({ id }) => id === node)?.kind ?? null
}
