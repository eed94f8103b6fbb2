import { Context } from '@temporalio/activity'
import type { OperatorMove } from '../../domain/run/signals.ts'
import { requestOfRun } from '../../services/scenario-runs/request.ts'
import type { AtOnce } from '../at-once.ts'
import type { ActivityAttempt, DeliveryContext } from '../delivery/context.ts'
import { advanceRun, advanceWithTurn, type ObservedRunStep } from './advance-run.ts'
import { lookUpActivities, settleLookup } from './look-up.ts'
import { sendTurn } from './send-turn.ts'

/** The activities of a run of a scenario on the main task queue. They pass ids; everything else is read from the rows. */
export function runActivities(
  delivery: DeliveryContext,
  atOnce: AtOnce,
  currentAttempt: () => ActivityAttempt,
) {
  const { services } = delivery
  return {
    /** Moves the run. What it has to say next on a quick channel is said in it. */
    async advanceRun(runId: string): Promise<ObservedRunStep> {
      const { step, turn } = await advanceWithTurn(services, runId)
      if (step.do !== 'sayTurn') return step
      const attempt = { ...currentAttempt(), heartbeat: () => {} }
      const taken = await atOnce(step.channel, step.do, async () => {
        await sendTurn(delivery, attempt, runId, turn)
        return advanceRun(services, runId)
      })
      return taken ?? step
    },
    /** Applies an operator's request from the Temporal UI to a run. */
    applyRunRequest: (runId: string, requested: OperatorMove) => requestOfRun(services, runId, requested),
  }
}

/** The activities of a run that call a provider. */
export function turnActivities(delivery: DeliveryContext, currentAttempt: () => ActivityAttempt) {
  return {
    /** Says what the run has to say, and returns its next step, which spares the run an activity. */
    async sayTurn(runId: string): Promise<ObservedRunStep> {
      await sendTurn(delivery, currentAttempt(), runId)
      return advanceRun(delivery.services, runId)
    },
  }
}

/** The activities of a run that call a producer. */
export function runLookupActivities({ services, drain }: Pick<DeliveryContext, 'services' | 'drain'>) {
  const attempt = () => Context.current()
  return lookUpActivities({ services, drain, attempt, settle: settleLookup })
}
