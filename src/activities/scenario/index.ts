import { Context } from '@temporalio/activity'
import type { OperatorMove } from '../../domain/signals.ts'
import type { Services } from '../../services/context.ts'
import { requestOfRun } from '../../services/scenarios/request.ts'
import type { ActivityAttempt, DeliveryContext } from '../delivery/context.ts'
import { advanceRun, type ObservedRunStep } from './advance-run.ts'
import { lookUpActivities } from './look-up.ts'
import { sayTurn } from './say-turn.ts'
import { settleLookup } from './settle-lookup.ts'

/** The activities of a run of a scenario that use only Postgres. They pass ids; everything else is read from the rows. */
export function runActivities(services: Services) {
  return {
    advanceRun: (runId: string) => advanceRun(services, runId),
    /** Applies an operator's request from the Temporal UI to a run. */
    applyRunRequest: (runId: string, requested: OperatorMove) => requestOfRun(services, runId, requested),
  }
}

/** The activities of a run that call a provider. */
export function turnActivities(delivery: DeliveryContext, currentAttempt: () => ActivityAttempt) {
  return {
    /** Says what the run has to say, and returns its next step, which spares the run an activity. */
    async sayTurn(runId: string): Promise<ObservedRunStep> {
      await sayTurn(delivery, currentAttempt(), runId)
      return advanceRun(delivery.services, runId)
    },
  }
}

/** The activities of a run that call a producer. */
export function runLookupActivities({ services, drain }: Pick<DeliveryContext, 'services' | 'drain'>) {
  const attempt = () => Context.current()
  return lookUpActivities({ services, drain, attempt, settle: settleLookup })
}
