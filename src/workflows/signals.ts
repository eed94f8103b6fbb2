import { defineSignal, setHandler } from '@temporalio/workflow'
import { signals } from '../domain/signals.ts'

/** Calls `heard` at every signal of ours. None carries anything: each says that the row is worth a look. */
export function onSignals(heard: () => void): void {
  for (const name of signals) setHandler(defineSignal(name), heard)
}
