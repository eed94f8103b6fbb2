import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow'
import { keysOf } from '../contract/enums.ts'
import { type OperatorMove, operatorSignals } from '../domain/run/signals.ts'

/** What each signal that an operator may send to the runs of a kind does; the others have no handler. */
export type Meanings = Partial<Record<keyof typeof operatorSignals, string>>

type Heard = {
  /** To be called on every request, by its name. */
  note(signal: string): void
  /** Applies a request to the row, if that still has this version. */
  apply(requested: OperatorMove, version: number | null): Promise<unknown>
  /** The version of the row that the run has read; null: none yet. */
  version(): number | null
}

/** Requests of operators, which wait until the run applies them. */
type Requests = {
  /** Whether any waits: it may have come before the run read its row for the first time. */
  isPending(): boolean
  /** Applies those that wait. */
  applyPending(): Promise<void>
  applyCancel(): Promise<void>
}

/**
 * Hears what operators request in the Temporal UI. A request counts for the version that the run had read when it came, or
 * that it names, so that a late or repeated one never meets what follows. A Request Cancellation does not interrupt a request
 * that is being applied.
 */
export function hearRequests(meanings: Meanings, { note, apply, version }: Heard): Requests {
  const pending: { move: OperatorMove; readVersion: number | null }[] = []
  for (const name of keysOf(meanings)) {
    const hear = (argument: unknown) => {
      pending.push({ move: operatorSignals[name], readVersion: versionIn(argument) ?? version() })
      note(name)
    }
    setHandler(defineSignal<[unknown]>(name), hear, { description: meanings[name]! })
  }
  return {
    isPending: () => pending.length > 0,
    async applyPending() {
      if (pending.length === 0) return // a scope costs as much as a step
      await CancellationScope.nonCancellable(async () => {
        for (const { move, readVersion } of pending.splice(0)) await apply(move, readVersion ?? version())
      })
    },
    applyCancel: () => CancellationScope.nonCancellable(async () => void (await apply('cancel', version()))),
  }
}

function versionIn(argument: unknown): number | null {
  const { version } = (argument ?? {}) as { version?: unknown }
  return Number.isSafeInteger(version) ? (version as number) : null
}
