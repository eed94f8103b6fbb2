import { CancellationScope, continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { ObservedStep } from '../activities/next-step.ts'
import type { MessageState } from '../contract/enums.ts'
import { channelActivities, expire, finish, look, start, writeRows } from './activities.ts'
import { handleOperatorRequests } from './operator.ts'
import { sendWave } from './send-wave.ts'
import { onChanged } from './signals.ts'
import { sentenceOf, showInUi } from './view.ts'
import { waitFor } from './wait.ts'

/** Continues as new after this many events, so that a history stays readable and replays fast. */
const eventsPerRun = 600

/** The pause before a step that changed nothing is repeated (ms). */
const idleMs = 5_000

/**
 * Carries one message intent from submission to closing. The row is the source of truth: `nextStep` reads it by
 * Postgres' clock, decides what to do and records the version it observed. Signals and an operator's cancel only make
 * the run read its row. Returns the state in which the message closed.
 */
export async function messageIntent(intentId: string): Promise<MessageState | null> {
  let called = true
  const heard = () => called
  const call = () => {
    called = true
  }
  onChanged(call)
  const operator = handleOperatorRequests(intentId, call)
  /** Clears the flag first: a signal that arrives while the row is read makes the run read it again. */
  const lookAfresh = () => {
    called = false
    return look(intentId)
  }

  /** A probe is one slice. Waits are short, so that the details of the run soon say why it waits. */
  const send = async (wave: Extract<ObservedStep, { do: 'send' }>) => {
    const probing = wave.view.parked !== null && !wave.view.parked.othersGoOn
    const waitMs = await sendWave(wave, () => called || probing || isLong())
    return Math.min(waitMs, idleMs)
  }

  return CancellationScope.nonCancellable(async () => {
    let seen: ObservedStep | null = null
    for (let last: string | null = null; ; ) {
      await operator.apply()
      if (operator.cancelled || (isLong() && !operator.busy))
        await continueAsNew<typeof messageIntent>(intentId)
      const next: ObservedStep = seen && !called ? seen : await lookAfresh()
      seen = null
      showInUi(next)
      const step = stepOf(next)
      if (step !== null && step === last) {
        await waitFor(heard, idleMs, 'last step changed nothing; retrying')
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
          await waitFor(heard, await send(next), 'provider asked to wait')
          break
        case 'finish':
          while ((await finish(intentId)).more);
          break
        case 'end':
          await operator.apply()
          return next.view?.state ?? null
      }
    }
  })
}

/** Identifies a step that must change the row or its wave; null for steps that may repeat. */
function stepOf({ do: step, view }: ObservedStep): string | null {
  return step === 'wait' || step === 'send' ? null : `${step} ${view?.version}`
}

function isLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo()
  return continueAsNewSuggested || historyLength > eventsPerRun
}
