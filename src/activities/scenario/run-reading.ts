import type { Channel } from '../../contract/enums.ts'
import type { RunSignal } from '../../domain/run/signals.ts'
import type { Advanced } from './advance-run.ts'

/** A conversation as its run finds it, once it is moved as far as it goes by itself: ids, enum values and instants. */
export type RunReading = NonNullable<Advanced> & {
  /** Whether a turn may be said by a local activity. */
  quick?: boolean
  /** Signals of which the row knows nothing, by name. */
  unconfirmed?: string[]
  /** Of a step that has read it: how many calls of the provider it made. */
  calls?: number
}

/** What the workflow reads of a run that was advanced. `told`: the signals since it was last read. */
export function readingOf(
  advanced: Advanced,
  isQuick: (channel: Channel) => boolean = () => false,
  told: readonly RunSignal<'scenario'>[] = [],
): RunReading | null {
  if (!advanced) return null
  const { state } = advanced
  const isOpen = state === 'running' || state === 'waiting'
  const unconfirmed = isOpen ? told.map(({ name }) => name).filter((name) => name === 'cancelled') : []
  return {
    ...advanced,
    ...(advanced.at === 'turn' && { quick: advanced.channel === 'page' || isQuick(advanced.channel) }),
    ...(unconfirmed.length > 0 && { unconfirmed }),
  }
}
