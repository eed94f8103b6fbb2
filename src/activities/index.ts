import { createAtOnce } from './at-once.ts'
import { createCircuitBreaker } from './delivery/circuit-breaker.ts'
import type { DeliveryContext } from './delivery/context.ts'
import { currentAttempt, type DeliveryDeps, deliveryActivities, localActivities } from './delivery/index.ts'
import { createAfterEarlier } from './earlier-attempts.ts'
import { moveActivities } from './moves.ts'
import { runActivities, runLookupActivities, turnActivities } from './scenario/index.ts'
import { sendNextReplyByItself } from './scenario/send-turn.ts'
import { scheduleActivities } from './schedule.ts'

/** All activities by task queue, as closures over the dependencies of a worker process. */
export function createActivities(parts: DeliveryDeps) {
  const { db } = parts.services
  // One breaker: messages and turns meet the same provider.
  const delivery: DeliveryContext = { ...parts, breaker: createCircuitBreaker() }
  const atOnce = createAtOnce(delivery)
  const afterEarlier = createAfterEarlier()
  const { sendSlice, sendSmallWave, ...steps } = deliveryActivities(delivery, afterEarlier)
  return {
    main: {
      ...localActivities(delivery, atOnce, afterEarlier),
      ...moveActivities({ db }),
      ...steps,
      ...runActivities(delivery, atOnce, { currentAttempt, afterEarlier }),
      ...scheduleActivities(parts.services),
    },
    channel: { sendSlice, sendSmallWave, ...turnActivities(delivery, { currentAttempt, afterEarlier }) },
    lookup: runLookupActivities(parts),
    /** Not an activity: a background task says the replies in handoffs, with the same breaker. */
    sayReply: () => sendNextReplyByItself(delivery),
  }
}

type Activities = ReturnType<typeof createActivities>

/** Activities on the main task queue. Those that call a provider are local ones, while it answers quickly. */
export type MainActivities = Activities['main']
/** Activities that call a provider, on the task queue of its channel. */
export type ChannelActivities = Activities['channel']
/** Activities that call a producer, on the task queue of Lookups. */
export type LookupActivities = Activities['lookup']
