import type { Channel, NodeKind } from '../../contract/enums.ts'
import type { ScenarioRunView } from '../../db/queries/scenario-run/observe-run.ts'
import type { RunSignal } from '../../domain/run/signals.ts'
import type { RunWait } from '../../domain/scenario/advance.ts'
import type { Advanced } from './advance-run.ts'

/**
 * A conversation as its run finds it, once it is moved as far as it goes by itself: ids, enum values and instants. `now`:
 * Postgres' clock, ms. `kind`: of its node, until the person has answered: the way behind a question is personal.
 */
export type RunReading = ScenarioRunView & {
  now: number
  kind: NodeKind | null
  /** Signals of which the row knows nothing, by name. */
  unconfirmed?: string[]
  /** Of a step that has read it: how many calls of the provider it made. */
  calls?: number
} & Standing

/** What it waits for, until when (ms; null: until something happens), or what it does next. `ended`: nothing more. */
export type Standing =
  | { at: RunWait; until: number | null }
  | { at: 'turn'; channel: Channel; quick: boolean }
  | { at: 'lookup' }
  | { at: 'ended' }

/** What the workflow reads of a run that was advanced. `told`: the signals since it was last read. */
export function readingOf(
  advanced: Advanced,
  isQuick: (channel: Channel) => boolean = () => false,
  told: readonly RunSignal<'scenario'>[] = [],
): RunReading | null {
  if (!advanced) return null
  const { view, now, kind } = advanced
  const isOpen = view.state === 'running' || view.state === 'waiting'
  const unconfirmed = isOpen ? told.map(({ name }) => name).filter((name) => name === 'cancelled') : []
  const shown = { ...view, now, kind, ...(unconfirmed.length > 0 && { unconfirmed }) }
  switch (advanced.do) {
    case 'wait':
      return { ...shown, at: advanced.for, until: advanced.ms === null ? null : now + advanced.ms }
    case 'sayTurn':
      return { ...shown, at: 'turn', channel: advanced.channel, quick: isQuick(advanced.channel) }
    case 'lookUp':
      return { ...shown, at: 'lookup' }
    case 'end':
      return { ...shown, at: 'ended' }
  }
}
