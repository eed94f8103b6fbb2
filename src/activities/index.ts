import { createCircuitBreaker } from './delivery/circuit-breaker.ts'
import type { DeliveryContext } from './delivery/context.ts'
import { currentAttempt, type DeliveryDeps, deliveryActivities } from './delivery/index.ts'
import { moveActivities } from './moves.ts'
import { nextStepActivities } from './next-step.ts'
import { runActivities, runLookupActivities, turnActivities } from './scenario/index.ts'
import { sayNextReplyByItself } from './scenario/say-reply.ts'
import { scheduleActivities } from './schedule.ts'

/** All activities by task queue, as closures over the dependencies of a worker process. */
export function createActivities(parts: DeliveryDeps) {
  const { db } = parts.services
  // One breaker: messages and turns meet the same provider.
  const delivery: DeliveryContext = { ...parts, breaker: createCircuitBreaker() }
  const { sendSlice, sendInOneStep, ...steps } = deliveryActivities(delivery)
  return {
    main: {
      ...nextStepActivities({ db }),
      ...moveActivities({ db }),
      ...steps,
      ...runActivities(parts.services),
      ...scheduleActivities(parts.services),
    },
    channel: { sendSlice, sendInOneStep, ...turnActivities(delivery, currentAttempt) },
    lookup: runLookupActivities(parts),
    /** Not an activity: a background task says the replies in handoffs, with the same breaker. */
    sayReply: () => sayNextReplyByItself(delivery),
  }
}

type Activities = ReturnType<typeof createActivities>

/** Activities that use only Postgres, on the main task queue. */
export type MainActivities = Activities['main']
/** Activities that call a provider, on the task queue of its channel. */
export type ChannelActivities = Activities['channel']
/** Activities that call a producer, on the task queue of Lookups. */
export type LookupActivities = Activities['lookup']
