import { type DeliveryDeps, deliveryActivities } from './delivery/index.ts'
import { moveActivities } from './moves.ts'
import { nextStepActivities } from './next-step.ts'

/** All activities by task queue, as closures over the dependencies of a worker process. */
export function createActivities(parts: DeliveryDeps) {
  const { db } = parts.services
  const { sendSlice, sendInOneStep, ...steps } = deliveryActivities(parts)
  return {
    main: { ...nextStepActivities({ db }), ...moveActivities({ db }), ...steps },
    channel: { sendSlice, sendInOneStep },
  }
}

/** Activities that use only Postgres, on the main task queue. */
export type MainActivities = ReturnType<typeof createActivities>['main']
/** Activities that call a provider, on the task queue of its channel. */
export type ChannelActivities = ReturnType<typeof createActivities>['channel']
