import { CancellationScope } from '@temporalio/workflow'
import type { RunKind } from '../domain/run/run-kinds.ts'
import type { RunSignal } from '../domain/run/signals.ts'
import { isLong } from './history.ts'
import { handleOperatorSignals, type OperatorRequests, untilCancelled } from './operator.ts'
import { listen } from './told.ts'
import { waitFor } from './wait.ts'

/** What a run does next, as it observed its row; no view: there is no row. */
type Step = { do: 'wait'; ms: number | null; view: View } | { do: string; view: View | null }
type View = { version: number; state: unknown }

/** What is particular to the runs of a kind. */
type Watched<Kind extends RunKind, Observed extends Step> = {
  id: string
  kind: Kind
  operators: OperatorRequests
  /** The pause before a step that changed nothing is repeated (ms). */
  idleMs: number
  /** Reads the row and decides the next step; after the last one, and because of the `newest` signal, if one came. */
  observe(last: Observed | null, told: RunSignal<Kind>[], newest: string | null): Promise<Observed>
  /** Which of these signals the row that was read does not bear out. */
  unconfirmed(step: Observed, told: RunSignal<Kind>[]): readonly string[]
  /** What the Temporal UI shows of a step, in Markdown. */
  detailsOf(step: Observed): string
  /** Updates the search attributes. */
  showInUi(step: Observed): void
  summaryOf(step: Observed): string
  /** Whether the step must change the row; the others may repeat. */
  mustChange(step: Observed): boolean
  /** Takes a step. Returns the next one where it is known without reading the row. */
  take(step: Taken<Observed>, summary: string, isTold: () => boolean): Promise<Observed | undefined>
  continueAsNew(): Promise<never>
}

/** The steps that a kind takes by itself. */
type Taken<Observed extends Step> = Exclude<Observed, { do: 'wait' | 'end' }>

/**
 * Carries a row to its end: reads it, takes the step that it answers, and reads it again. The row is the source of truth;
 * signals and an operator's cancel only make the run read it. Returns the state in which the row ended; null: it is gone.
 */
export async function watchRow<Kind extends RunKind, Observed extends Step>(
  watched: Watched<Kind, Observed>,
): Promise<NonNullable<Observed['view']>['state'] | null> {
  const { id, kind, operators, idleMs } = watched
  const told = listen(kind)
  const applySignals = handleOperatorSignals(id, told.note, operators)
  /** Takes what was told first: a signal that arrives while the row is read makes the run read it again. */
  const observe = async (last: Observed | null) => {
    const heard = told.take()
    const observed = await watched.observe(last, heard.told, heard.newest)
    told.ignore(watched.unconfirmed(observed, heard.told))
    return observed
  }

  const steps = async () => {
    let known: Observed | undefined
    let last: Observed | null = null
    for (let lastStep: string | null = null; ; ) {
      await applySignals()
      if (isLong() && !CancellationScope.current().consideredCancelled) await watched.continueAsNew()
      const next: Observed = known && !told.isNew() ? known : await observe(last)
      known = undefined
      last = next
      told.show(watched.detailsOf(next))
      watched.showInUi(next)
      const step = watched.mustChange(next) ? `${next.do} ${next.view?.version}` : null
      if (step !== null && step === lastStep) {
        await waitFor(told.isNew, idleMs, 'last step changed nothing; retrying')
        lastStep = null
        continue
      }
      lastStep = step
      if (isTaken(next)) known = await watched.take(next, watched.summaryOf(next), told.isNew)
      else if (isWait(next)) await waitFor(told.isNew, next.ms, watched.summaryOf(next))
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
