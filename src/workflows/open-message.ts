import type { MessageReading } from '../activities/read-message.ts'
import {
  applyOperatorMove,
  channelActivities,
  localActivities,
  longActivities,
  readActivities,
} from './activities.ts'
import { messageView } from './message-view.ts'
import { openRun, type Run } from './run.ts'

/** The run of a message, with the activities of its steps. `what` a step does stands in the history and the details. */
export type MessageRun = Run<MessageReading> & {
  locally(what: string): ReturnType<typeof localActivities>
  steps(what: string): ReturnType<typeof longActivities>
  on: typeof channelActivities
}

/** Opens the run of a message: what is read of it, and what an operator may request. */
export function openMessage(id: string): MessageRun {
  const run = openRun<'message', MessageReading>({
    kind: 'message',
    id,
    read: (why, told) => readActivities(why).readMessage(id, told),
    view: messageView,
    requests: {
      retryParked: 'Retry the parked wave now.',
      skipParked: 'Skip the remaining recipients of the parked wave.',
    },
    apply: (requested, version) => applyOperatorMove(id, requested, version),
  })
  return {
    ...run,
    locally: (what) => localActivities(run.announce(what)),
    steps: (what) => longActivities(run.announce(what)),
    on: channelActivities,
  }
}
