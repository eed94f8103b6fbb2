import { Context } from '@temporalio/activity'
import type { Channel } from '../../contract/enums.ts'
import type { OperatorMove } from '../../domain/run/signals.ts'
import { requestOfRun } from '../../services/scenario-runs/request.ts'
import type { AtOnce } from '../at-once.ts'
import type { ActivityAttempt, DeliveryContext } from '../delivery/context.ts'
import { advanceRun, type ObservedRunStep } from './advance-run.ts'
import { lookUpActivities, settleLookup } from './look-up.ts'
import { sendTurn } from './send-turn.ts'

/** The activities of a run of a scenario on the main task queue. They pass ids; everything else is read from the rows. */
export function runActivities(
  delivery: DeliveryContext,
  atOnce: AtOnce,
  currentAttempt: () => ActivityAttempt,
) {
  const { services } = delivery
  const advance = async (runId: string): Promise<ObservedRunStep> => {
    const step = await advanceRun(services, runId)
    return step.do === 'sayTurn' && atOnce.isQuick(step.channel) ? { ...step, quick: true } : step
  }
  return {
    /** Moves the run, and answers what it does next. */
    advanceRun: (runId: string) => advance(runId),
    /** Says what the run has to say, and returns its next step; null: it was not taken. */
    sayTurn(runId: string, channel: Channel): Promise<ObservedRunStep | null> {
      const attempt = { ...currentAttempt(), heartbeat: () => {} }
      return atOnce.take(channel, 'sayTurn', async () => {
        await sendTurn(delivery, attempt, runId)
        return advance(runId)
      })
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
