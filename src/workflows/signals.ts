import { defineSignal, setHandler } from '@temporalio/workflow'
import { changedSignal, type WakeReason } from '../domain/signals.ts'

/** What each signal says, for whoever reads it in the Temporal UI. */
const meanings: Record<WakeReason, string> = {
  submitted: 'the message was submitted',
  approval: 'the message was approved',
  rejection: 'the message was rejected',
  cancellation: 'the message was cancelled',
  answer: 'somebody answered',
  changed: 'the row has changed, or was not looked at in time',
}

/** Calls `heard` at every signal of ours. None carries anything: each says that the row is worth a look. */
export function onChanged(heard: () => void): void {
  for (const name of changedSignal) setHandler(defineSignal(name), heard, { description: meanings[name] })
}
