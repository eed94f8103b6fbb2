import type { SearchAttributeUpdatePair } from '@temporalio/common'
import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { RunKind } from '../domain/run/run-kinds.ts'
import type { OperatorMove, RunSignal } from '../domain/run/signals.ts'
import { hearRequests, type Meanings } from './requests.ts'
import { listen } from './told.ts'

/** A row as its run reads it. `now`: Postgres' clock at that moment, ms since the epoch. */
export type Reading = { version: number; now: number; unconfirmed?: readonly string[] }

/** What is particular to the runs of a kind. */
type Opened<Kind extends RunKind, Row extends Reading> = {
  kind: Kind
  id: string
  /** The pause before a stage that changed nothing is repeated (ms). */
  idleMs?: number
  /** Reads the row; null: it is gone. `why`: a sentence for the history. `told`: the signals since it was last read. */
  read(why: string, told: RunSignal<Kind>[]): Promise<Row | null>
  view: View<Row>
  /** What each signal of an operator does, for the Temporal UI. */
  requests: Meanings
  /** Applies an operator's request to the row, if that still has the version that the run has read. */
  apply(requested: OperatorMove, version: number | null): Promise<unknown>
}

/** What the Temporal UI shows of a row: ids, enum values, instants and counts. */
type View<Row> = {
  /** What the row is, in a few words. */
  nameOf(row: Row): string
  /** Markdown. `doing`: what the run does or waits for. */
  detailsOf(row: Row, doing: string): string
  attributesOf(row: Row): SearchAttributeUpdatePair[]
}

/** A run that carries a row through its stages. */
export type Run<Row extends Reading> = {
  /** Of its row. */
  id: string
  /**
   * The row as it is now. Before, what operators have requested is applied; a run whose history is long continues as new. A
   * row that is as it was before waits some seconds, so that no stage spins.
   */
  read(): Promise<Row | null>
  /** Takes the row as a step has read it, which spares the next reading unless something is told before. */
  useReading(row: Row | null): void
  /** Waits until something is told, or until `until` (ms, by Postgres' clock; null: without a limit). */
  wait(what: string, until: number | null): Promise<void>
  /** The same for some time (ms), some seconds at most. */
  rest(what: string, ms: number): Promise<void>
  /** Shows what the run does now; returns that as the summary of the activity that does it. */
  announce(what: string): string
  /** Whether a step that may be repeated should let the row be read first. */
  isInterrupted(): boolean
  /**
   * Carries out the stages until they end or an operator requests cancellation, which is applied to the row; the run then
   * closes as Canceled. If the row is still open (sending can only be paused), the reconciler starts its next run.
   */
  carryOut<T>(stages: () => Promise<T>): Promise<T>
}

/** Every workflow takes the id of its row. */
type Carried = (id: string) => Promise<unknown>

/** A run continues as new after this many events, so that a history stays readable and replays fast. */
const eventsPerRun = 600
/** Temporal stores a timer in nanoseconds, which overflow after 292 years: a longer wait is cut, and the row read again. */
const longestMs = 365 * 86_400_000

/** Opens the run of a row: from now on it hears signals and requests, and shows itself in the Temporal UI. */
export function openRun<Kind extends RunKind, Row extends Reading>(opened: Opened<Kind, Row>): Run<Row> {
  const { kind, view, idleMs = 5_000 } = opened
  const told = listen(kind)
  let row: Row | null = null
  const requests = hearRequests(opened.requests, {
    note: told.note,
    apply: opened.apply,
    version: () => row?.version ?? null,
  })
  told.ignoreOthers()
  let lastly = 'the run begins'
  let stepReading: Row | null = null
  let rested = true

  async function readRow(): Promise<Row | null> {
    const heard = told.take()
    const before = row === null ? '' : `; read last: ${view.nameOf(row)}`
    const why = heard.newest === null ? lastly : `signal ${heard.newest}`
    const reading = await opened.read(`${why}${before}`, heard.told)
    told.settle(heard.told, reading?.unconfirmed ?? [])
    return reading
  }

  /** Whether a signal or a request came since the row was read. */
  const isAddressed = () => told.isNew() || requests.isPending()

  async function waitFor(ms: number | null, summary: string): Promise<void> {
    if (ms === null) await condition(isAddressed)
    else if (ms > 0) await condition(isAddressed, Math.min(ms, longestMs), { summary })
    rested = true
  }

  function show(doing: string, lasts: boolean): string {
    if (row === null) {
      told.show('There is no row of this run any more.')
      return doing
    }
    told.show(view.detailsOf(row, doing))
    if (lasts) upsertChanged(view.attributesOf(row))
    const name = view.nameOf(row)
    return name ? `${name}: ${doing}` : doing
  }

  return {
    id: opened.id,
    async read() {
      if (row !== null) await requests.applyPending()
      if (isLong() && !CancellationScope.current().consideredCancelled)
        await continueAsNew<Carried>(opened.id)
      let next = stepReading && !told.isNew() ? stepReading : await readRow()
      stepReading = null
      if (!rested && isSame(next, row)) {
        await waitFor(idleMs, 'the last step changed nothing')
        await requests.applyPending()
        next = await readRow()
      }
      row = next
      rested = false
      return row
    },
    useReading(reading) {
      stepReading = reading
    },
    async wait(what, until) {
      const at = until === null ? '' : `, until ${new Date(until).toISOString()}`
      const summary = show(`waiting for ${what}${at}`, true)
      await waitFor(until === null ? null : Math.max(until - row!.now, 0), summary)
      lastly = `end of waiting for ${what}`
    },
    async rest(what, ms) {
      await waitFor(Math.min(ms, idleMs), show(`waiting for ${what}`, true))
      lastly = `end of waiting for ${what}`
    },
    announce(what) {
      lastly = `after ${what}`
      return show(what, false)
    },
    isInterrupted: () => isAddressed() || isLong(),
    async carryOut(stages) {
      try {
        const end = await stages()
        await requests.applyPending()
        show('closed', true)
        return end
      } catch (error) {
        if (isCancellation(error)) await requests.applyCancel()
        throw error
      }
    },
  }
}

/** Whether the history of this run has become so long that it continues as new. */
function isLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo()
  return continueAsNewSuggested || historyLength > eventsPerRun
}

/** Whether two readings differ in nothing but their moment. */
function isSame<Row extends Reading>(one: Row | null, other: Row | null): boolean {
  const text = (row: Row | null) => JSON.stringify(row && { ...row, now: 0, unconfirmed: [] })
  return one !== null && text(one) === text(other)
}

function upsertChanged(attributes: SearchAttributeUpdatePair[]): void {
  const current = workflowInfo().typedSearchAttributes
  const textOf = (value: unknown) => JSON.stringify(value ?? null)
  const changed = attributes.filter(({ key, value }) => textOf(current.get(key)) !== textOf(value))
  if (changed.length > 0) upsertSearchAttributes(changed)
}
