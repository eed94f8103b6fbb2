import { CancellationScope, continueAsNew, defineSignal, setHandler } from '@temporalio/workflow'
import type { ObservedStep } from '../activities/next-step.ts'
import type { MessageState } from '../contract/enums.ts'
import { changedSignal, type WakeReason } from '../domain/signals.ts'
import { channelActivities, readActivities, stepActivities } from './activities.ts'
import { isLong } from './history.ts'
import { handleOperatorSignals, untilCancelled } from './operator.ts'
import { sendWave } from './send-wave.ts'
import { readingOf, showInUi, summaryOf } from './view.ts'
import { waitFor } from './wait.ts'

/** The pause before a step that changed nothing is repeated (ms). */
const idleMs = 5_000

/**
 * Carries one message intent from submission to closing. The row is the source of truth: `nextStep` reads it by
 * Postgres' clock, decides what to do and records the version it observed. Signals and an operator's cancel only make
 * the run read its row. Returns the state in which the message closed.
 */
export async function messageIntent(messageId: string): Promise<MessageState | null> {
  let rowChanged = true
  const isChanged = () => rowChanged
  let signal: string | null = null
  const onChange = (name: string) => {
    rowChanged = true
    signal = name
  }
  setHandler(defineSignal<[WakeReason]>(changedSignal), onChange, {
    description: 'The message changed; the argument says how.',
  })
  const applySignals = handleOperatorSignals(messageId, onChange)
  /** Clears the flag first: a signal that arrives while the row is read makes the run read it again. */
  const observe = (last: ObservedStep | null) => {
    const summary = readingOf(last, signal)
    rowChanged = false
    signal = null
    return readActivities(summary).nextStep(messageId)
  }

  /** A probe is one slice. Waits are capped, so that the run's details soon show why it waits. */
  const send = async (wave: Extract<ObservedStep, { do: 'sendWave' }>) => {
    const probing = wave.view.parked !== null && !wave.view.parked.othersContinue
    const waitMs = await sendWave(wave, () => rowChanged || probing || isLong())
    return Math.min(waitMs, idleMs)
  }

  return untilCancelled(messageId, async () => {
    let known: ObservedStep | null = null
    let last: ObservedStep | null = null
    for (let lastStep: string | null = null; ; ) {
      await applySignals()
      if (isLong() && !CancellationScope.current().consideredCancelled)
        await continueAsNew<typeof messageIntent>(messageId)
      const next: ObservedStep = known && !rowChanged ? known : await observe(last)
      known = null
      last = next
      showInUi(next)
      const step = stepOf(next)
      if (step !== null && step === lastStep) {
        await waitFor(isChanged, idleMs, 'last step changed nothing; retrying')
        lastStep = null
        continue
      }
      lastStep = step

      const summary = summaryOf(next)
      switch (next.do) {
        case 'wait':
          await waitFor(isChanged, next.ms, summary)
          break
        case 'expireMessage':
          await stepActivities(summary).expireMessage(messageId)
          break
        case 'startWave':
          await stepActivities(summary).startWave(messageId)
          break
        case 'sendInOneStep':
          known = await channelActivities(next.channel, next.view.unitId, summary).sendInOneStep(
            messageId,
            next.channel,
          )
          break
        case 'writeDeliveries':
          await stepActivities(summary).writeDeliveries(next.waveId)
          break
        case 'sendWave':
          await waitFor(isChanged, await send(next), 'provider asked to wait')
          break
        case 'finishWave':
          while ((await stepActivities(summary).finishWave(messageId)).more);
          break
        case 'end':
          await applySignals()
          return next.view?.state ?? null
      }
    }
  })
}

/** Identifies a step that must change the row or its wave; null for steps that may repeat. */
function stepOf({ do: step, view }: ObservedStep): string | null {
  return step === 'wait' || step === 'sendWave' ? null : `${step} ${view?.version}`
}
