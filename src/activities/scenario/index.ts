import { Context } from '@temporalio/activity'
import type { TurnChannel } from '../../contract/enums.ts'
import type { OperatorMove, RunSignal } from '../../domain/run/signals.ts'
import { requestOfRun } from '../../services/scenario-runs/request.ts'
import type { AtOnce } from '../at-once.ts'
import type { ActivityAttempt, DeliveryContext } from '../delivery/context.ts'
import type { AfterEarlier } from '../earlier-attempts.ts'
import { advanceRun } from './advance-run.ts'
import { lookUpActivities, settleLookup } from './look-up.ts'
import { type RunReading, readingOf } from './run-reading.ts'
import { sayOnPage } from './say-on-page.ts'
import { sendTurn } from './send-turn.ts'

/** The attempt of an activity, and its order after earlier ones. */
type Attempts = { currentAttempt: () => ActivityAttempt; afterEarlier: AfterEarlier }

/** The activities of a run of a scenario on the main task queue. They pass ids; everything else is read from the rows. */
export function runActivities(
  delivery: DeliveryContext,
  { isQuick, take }: AtOnce,
  { currentAttempt, afterEarlier }: Attempts,
) {
  const { services } = delivery
  return {
    /** Moves the run as far as it goes by itself, and reads it. `told`: the signals since it was last read. */
    async advanceRun(runId: string, told: readonly RunSignal<'scenario'>[] = []): Promise<RunReading | null> {
      return readingOf(await advanceRun(services, runId), isQuick, told)
    },
    /** Says what the run has to say, and reads it; null: it was not taken. */
    async sayTurn(runId: string, channel: TurnChannel): Promise<RunReading | null> {
      if (channel === 'page') {
        await sayOnPage(services, runId)
        return readingOf(await advanceRun(services, runId), isQuick)
      }
      const attempt = { ...currentAttempt(), heartbeat: () => {} }
      return take(channel, 'sayTurn', async () => {
        const calls = await afterEarlier(attempt, runId, () => sendTurn(delivery, attempt, runId))
        const talk = readingOf(await advanceRun(services, runId), isQuick)
        return talk && { ...talk, calls }
      })
    },
    /** Applies an operator's request from the Temporal UI to a run. */
    applyRunRequest: (runId: string, requested: OperatorMove) => requestOfRun(services, runId, requested),
  }
}

/** The activities of a run that call a provider. */
export function turnActivities(delivery: DeliveryContext, { currentAttempt, afterEarlier }: Attempts) {
  return {
    /** Says what the run has to say, and reads it, which spares the run an activity. */
    async sayTurn(runId: string): Promise<RunReading | null> {
      const attempt = currentAttempt()
      const calls = await afterEarlier(attempt, runId, () => sendTurn(delivery, attempt, runId))
      const talk = readingOf(await advanceRun(delivery.services, runId))
      return talk && { ...talk, calls }
    },
  }
}

/** The activities of a run that call a producer. */
export function runLookupActivities({ services, drain }: Pick<DeliveryContext, 'services' | 'drain'>) {
  const attempt = () => Context.current()
  return lookUpActivities({ services, drain, attempt, settle: settleLookup })
}
