import { workflowInfo } from '@temporalio/workflow'

/** A run continues as new after this many events, so that a history stays readable and replays fast. */
const eventsPerRun = 600

/** Whether the history of this run has become so long that it continues as new. */
export function isLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo()
  return continueAsNewSuggested || historyLength > eventsPerRun
}
