import { continueAsNew } from '@temporalio/workflow'
import type { ObservedRunStep } from '../activities/scenario/advance-run.ts'
import type { RunState } from '../contract/enums.ts'
import {
  applyRunRequest,
  channelActivities,
  lookupActivities,
  quickActivities,
  runActivities,
} from './activities.ts'
import type { OperatorRequests } from './operator.ts'
import { runDetailsOf, runReadingOf, runSummaryOf, showRunInUi } from './scenario-view.ts'
import { watchRow } from './watch-row.ts'

/** What operators may request of a run: there is nothing to skip in a conversation with one person. */
const ofRuns: OperatorRequests = {
  apply: applyRunRequest,
  meanings: { retryParked: 'Try now what a provider or a quota holds back.' },
}

/**
 * Carries one run of a scenario from its start to its end: `advanceRun` reads its row by Postgres' clock, moves it as
 * far as it goes by itself, and answers what comes next. Returns the state in which the run ended.
 */
export function scenarioRun(runId: string): Promise<RunState | null> {
  return watchRow<'scenario', ObservedRunStep>({
    id: runId,
    kind: 'scenario',
    operators: ofRuns,
    idleMs: 1_000,
    observe: (last, _told, newest) => runActivities(runReadingOf(last, newest)).advanceRun(runId),
    unconfirmed: ({ view }, told) => (isOpen(view) ? told.map(({ name }) => name).filter(endsRun) : []),
    detailsOf: runDetailsOf,
    showInUi: showRunInUi,
    summaryOf: runSummaryOf,
    mustChange: (step) => step.do !== 'wait',
    async take(step, summary) {
      if (step.do === 'sayTurn') {
        const { channel, quick, view } = step
        const said = quick ? await quickActivities(summary).sayTurn(runId, channel) : null
        return said ?? channelActivities(channel, view.unitId, summary).sayTurn(runId)
      }
      await lookupActivities(step.view.unitId, summary).lookUp(runId, step.node)
      return undefined
    },
    continueAsNew: () => continueAsNew<typeof scenarioRun>(runId),
  })
}

function isOpen(view: ObservedRunStep['view']): boolean {
  return view?.state === 'running' || view?.state === 'waiting'
}

const endsRun = (name: string) => name === 'cancelled'
