import { CancellationScope, continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { ObservedStep } from '../activities/next-step.ts'
import type { MessageState } from '../contract/enums.ts'
import { channelActivities, expire, finish, look, start, writeRows } from './activities.ts'
import { handleOperatorRequests } from './operator.ts'
import { sendWave } from './send-wave.ts'
import { onChanged } from './signals.ts'
import { sentenceOf, showInUi } from './view.ts'
import { waitFor } from './wait.ts'

/** A history is kept short enough to be read, and replayed at once; the run goes on in a fresh one. */
const eventsPerRun = 600

/** A step that left everything as it was is not repeated at once, ms. */
const idleMs = 5_000

/**
 * One message intent, from submission to closing. The row is the truth: `look` reads it by Postgres' clock, says what to
 * do and acknowledges what it saw. Signals and the operator's cancel only say that there is something to see. Answers the
 * state in which it closed.
 */
export async function messageIntent(intentId: string): Promise<MessageState | null> {
  let called = true
  const heard = () => called
  const call = () => {
    called = true
  }
  onChanged(call)
  const operator = handleOperatorRequests(intentId, call)
  /** Whatever is heard from now on asks for another look. */
  const lookAfresh = () => {
    called = false
    return look(intentId)
  }

  /** A probe is one slice. Whoever reads the run must see soon why it waits: for long it does so only after a look. */
  const send = async (wave: Extract<ObservedStep, { do: 'send' }>) => {
    const probing = wave.view.parked !== null && !wave.view.parked.othersGoOn
    const waitMs = await sendWave(wave, () => called || probing || isLong())
    return Math.min(waitMs, idleMs)
  }

  return CancellationScope.nonCancellable(async () => {
    let seen: ObservedStep | null = null
    for (let last: string | null = null; ; ) {
      await operator.obey()
      if (operator.cancelled || (isLong() && !operator.busy))
        await continueAsNew<typeof messageIntent>(intentId)
      const next: ObservedStep = seen && !called ? seen : await lookAfresh()
      seen = null
      showInUi(next)
      const step = stepOf(next)
      if (step !== null && step === last) {
        await waitFor(heard, idleMs, 'the last step changed nothing; looks again soon')
        last = null
        continue
      }
      last = step

      switch (next.do) {
        case 'wait':
          await waitFor(heard, next.ms, sentenceOf(next))
          break
        case 'expire':
          await expire(intentId)
          break
        case 'start':
          await start(intentId)
          break
        case 'express':
          seen = await channelActivities(next.channel, next.view.unitId, sentenceOf(next)).express(
            intentId,
            next.channel,
          )
          break
        case 'rows':
          await writeRows(next.waveId)
          break
        case 'send':
          await waitFor(heard, await send(next), 'the provider asked to wait')
          break
        case 'finish':
          while ((await finish(intentId)).more);
          break
        case 'end':
          await operator.obey()
          return next.view?.state ?? null
      }
    }
  })
}

/** Names a step that should change the row or its wave; null for those that may well come again. */
function stepOf({ do: step, view }: ObservedStep): string | null {
  return step === 'wait' || step === 'send' ? null : `${step} ${view?.version}`
}

function isLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo()
  return continueAsNewSuggested || historyLength > eventsPerRun
}
