import { type DeliveryDeps, deliveryActivities } from './delivery/index.ts'
import { moveActivities } from './moves.ts'
import { nextStepActivities } from './next-step.ts'

/** Every step that runs can take, by the queue it waits in; closures over what a worker process has. */
export function createActivities(parts: DeliveryDeps) {
  const { db } = parts.services
  const { sendSlice, express, ...steps } = deliveryActivities(parts)
  return {
    main: { ...nextStepActivities({ db }), ...moveActivities({ db }), ...steps },
    channel: { sendSlice, express },
  }
}

/** Steps on Postgres alone, in the main queue. */
export type MainActivities = ReturnType<typeof createActivities>['main']
/** Steps that call a provider, in the queue of its channel. */
export type ChannelActivities = ReturnType<typeof createActivities>['channel']
