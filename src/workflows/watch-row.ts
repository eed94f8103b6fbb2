import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow'
import { changedSignal, type WakeReason } from '../domain/run/signals.ts'
import { isLong } from './history.ts'
import { handleOperatorSignals, type OperatorRequests, untilCancelled } from './operator.ts'
import { waitFor } from './wait.ts'

/** What a run does next, as it observed its row; no view: there is no row. */
type Step = { do: 'wait'; ms: number | null; view: View } | { do: string; view: View | null }
type View = { version: number; state: unknown }

/** What is particular to the runs of a kind. */
type Watched<Observed extends Step> = {
  id: string
  /** What the row is, for the description of the signal. */
  noun: string
  operators: OperatorRequests
  /** The pause before a step that changed nothing is repeated (ms). */
  idleMs: number
  /** Reads the row and decides the next step; after the last one, and because of a signal, if one came. */
  observe(last: Observed | null, signal: string | null): Promise<Observed>
  showInUi(step: Observed): void
  summaryOf(step: Observed): string
  /** Whether the step must change the row; the others may repeat. */
  mustChange(step: Observed): boolean
  /** Takes a step. Returns the next one where it is known without reading the row. */
  take(step: Taken<Observed>, summary: string, isChanged: () => boolean): Promise<Observed | undefined>
  continueAsNew(): Promise<never>
}

/** The steps that a kind takes by itself. */
type Taken<Observed extends Step> = Exclude<Observed, { do: 'wait' | 'end' }>

/**
 * Carries a row to its end: reads it, takes the step that it answers, and reads it again. The row is the source of truth;
 * signals and an operator's cancel only make the run read it. Returns the state in which the row ended; null: it is gone.
 */
export async function watchRow<Observed extends Step>(
  watched: Watched<Observed>,
): Promise<NonNullable<Observed['view']>['state'] | null> {
  const { id, noun, operators, idleMs } = watched
  let rowChanged = true
  const isChanged = () => rowChanged
  let signal: string | null = null
  const onChange = (name: string) => {
    rowChanged = true
    signal = name
  }
  setHandler(defineSignal<[WakeReason]>(changedSignal), onChange, {
    description: `The ${noun} changed; the argument says how.`,
  })
  const applySignals = handleOperatorSignals(id, onChange, operators)
  /** Clears the flag first: a signal that arrives while the row is read makes the run read it again. */
  const observe = (last: Observed | null) => {
    const reason = signal
    rowChanged = false
    signal = null
    return watched.observe(last, reason)
  }

  const steps = async () => {
    let known: Observed | undefined
    let last: Observed | null = null
    for (let lastStep: string | null = null; ; ) {
      await applySignals()
      if (isLong() && !CancellationScope.current().consideredCancelled) await watched.continueAsNew()
      const next: Observed = known && !rowChanged ? known : await observe(last)
      known = undefined
      last = next
      watched.showInUi(next)
      const step = watched.mustChange(next) ? `${next.do} ${next.view?.version}` : null
      if (step !== null && step === lastStep) {
        await waitFor(isChanged, idleMs, 'last step changed nothing; retrying')
        lastStep = null
        continue
      }
      lastStep = step
      if (isTaken(next)) known = await watched.take(next, watched.summaryOf(next), isChanged)
      else if (isWait(next)) await waitFor(isChanged, next.ms, watched.summaryOf(next))
      else {
        await applySignals()
        return next.view?.state ?? null
      }
    }
  }
  return untilCancelled(id, steps, operators)
}

function isTaken<Observed extends Step>(step: Observed): step is Taken<Observed> {
  return step.do !== 'wait' && step.do !== 'end'
}

function isWait(step: Step): step is Extract<Step, { do: 'wait' }> {
  return step.do === 'wait'
}
