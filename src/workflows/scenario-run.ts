import { CancellationScope, continueAsNew, defineSignal, setHandler } from '@temporalio/workflow'
import type { ObservedRunStep } from '../activities/scenario/advance-run.ts'
import type { RunState } from '../contract/enums.ts'
import { changedSignal, type WakeReason } from '../domain/signals.ts'
import { applyRunRequest, channelActivities, lookupActivities, runActivities } from './activities.ts'
import { isLong } from './history.ts'
import { handleOperatorSignals, type OperatorRequests, untilCancelled } from './operator.ts'
import { runReadingOf, runSummaryOf, showRunInUi } from './scenario-view.ts'
import { waitFor } from './wait.ts'

/** What operators may request of a run: there is nothing to skip in a conversation with one person. */
const ofRuns: OperatorRequests = {
  apply: applyRunRequest,
  meanings: { retryParked: 'Try now what a provider or a quota holds back.' },
}

/** The pause before a step that changed nothing is repeated (ms). */
const idleMs = 1_000

/**
 * Carries one run of a scenario from its start to its end. The row is the source of truth: `advanceRun` reads it by
 * Postgres' clock, moves it as far as it goes by itself, and answers what comes next. Signals only make the run read its
 * row. Returns the state in which the run ended.
 */
export async function scenarioRun(runId: string): Promise<RunState | null> {
  let rowChanged = true
  const isChanged = () => rowChanged
  let signal: string | null = null
  const onChange = (name: string) => {
    rowChanged = true
    signal = name
  }
  setHandler(defineSignal<[WakeReason]>(changedSignal), onChange, {
    description: 'The run changed; the argument says how.',
  })
  const applySignals = handleOperatorSignals(runId, onChange, ofRuns)
  /** Clears the flag first: a signal that arrives while the row is read makes the run read it again. */
  const advance = (last: ObservedRunStep | null) => {
    const summary = runReadingOf(last, signal)
    rowChanged = false
    signal = null
    return runActivities(summary).advanceRun(runId)
  }

  const steps = async () => {
    let known: ObservedRunStep | null = null
    let last: ObservedRunStep | null = null
    for (let lastStep: string | null = null; ; ) {
      await applySignals()
      if (isLong() && !CancellationScope.current().consideredCancelled)
        await continueAsNew<typeof scenarioRun>(runId)
      const next: ObservedRunStep = known && !rowChanged ? known : await advance(last)
      known = null
      last = next
      showRunInUi(next)
      const step = next.do === 'wait' ? null : `${next.do} ${next.view?.version}`
      if (step !== null && step === lastStep) {
        await waitFor(isChanged, idleMs, 'last step changed nothing; retrying')
        lastStep = null
        continue
      }
      lastStep = step

      const summary = runSummaryOf(next)
      switch (next.do) {
        case 'wait':
          await waitFor(isChanged, next.ms, summary)
          break
        case 'sayTurn':
          known = await channelActivities(next.channel, next.view.unitId, summary).sayTurn(runId)
          break
        case 'lookUp':
          await lookupActivities(next.view.unitId, summary).lookUp(runId, next.node)
          break
        case 'end':
          await applySignals()
          return next.view?.state ?? null
      }
    }
  }
  return untilCancelled(runId, steps, ofRuns)
}
