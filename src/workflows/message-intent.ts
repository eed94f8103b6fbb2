import { continueAsNew } from '@temporalio/workflow'
import type { ObservedStep } from '../activities/next-step.ts'
import type { MessageState } from '../contract/enums.ts'
import {
  applyOperatorMove,
  channelActivities,
  quickActivities,
  readActivities,
  stepActivities,
} from './activities.ts'
import { isLong } from './history.ts'
import type { OperatorRequests } from './operator.ts'
import { sendWave } from './send-wave.ts'
import { detailsOf, readingOf, showInUi, summaryOf } from './view.ts'
import { waitFor } from './wait.ts'
import { watchRow } from './watch-row.ts'

const ofMessages: OperatorRequests = {
  apply: applyOperatorMove,
  meanings: {
    retryParked: 'Retry the parked wave now.',
    skipParked: 'Skip the remaining recipients of the parked wave.',
  },
}

/** The pause before a step that changed nothing is repeated (ms). */
const idleMs = 5_000

/**
 * Carries one message intent from submission to closing: `nextStep` reads its row by Postgres' clock, decides what to
 * do and records the version it observed. Returns the state in which the message closed.
 */
export function messageIntent(messageId: string): Promise<MessageState | null> {
  return watchRow<'message', ObservedStep>({
    id: messageId,
    kind: 'message',
    operators: ofMessages,
    idleMs,
    observe: (last, told, newest) => readActivities(readingOf(last, newest)).nextStep(messageId, told),
    unconfirmed: ({ unconfirmed = [] }) => unconfirmed,
    detailsOf,
    showInUi,
    summaryOf,
    mustChange: (step) => step.do !== 'wait' && step.do !== 'sendWave',
    async take(step, summary, isChanged) {
      switch (step.do) {
        case 'expireMessage':
          await stepActivities(summary).expireMessage(messageId)
          return undefined
        case 'resolveAudience':
          await stepActivities(summary).resolveAudience(messageId)
          return undefined
        case 'reserveQuota':
          await stepActivities(summary).reserveQuota(messageId)
          return undefined
        case 'sendInOneStep': {
          const { channel, quick, view } = step
          const sent = quick ? await quickActivities(summary).sendInOneStep(messageId, channel) : null
          return sent ?? channelActivities(channel, view.unitId, summary).sendInOneStep(messageId, channel)
        }
        case 'sendWave':
          await waitFor(isChanged, await send(step, isChanged), 'waiting for the provider')
          return undefined
        case 'finishWave':
          while ((await stepActivities(summary).finishWave(messageId)).more);
          return undefined
      }
    },
    continueAsNew: () => continueAsNew<typeof messageIntent>(messageId),
  })
}

/** A probe is one slice. Waits are capped, so that the run's details soon show why it waits. */
async function send(
  wave: Extract<ObservedStep, { do: 'sendWave' }>,
  isChanged: () => boolean,
): Promise<number> {
  const probing = wave.view.parked !== null && !wave.view.parked.othersContinue
  const waitMs = await sendWave(wave, () => isChanged() || probing || isLong())
  return Math.min(waitMs, idleMs)
}
