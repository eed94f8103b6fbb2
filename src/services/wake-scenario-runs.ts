import type { RunSignal, SignalName } from '../domain/run/signals.ts'
import type { Services } from './context.ts'

/**
 * A run of a scenario that is to be woken after the commit, and what it is told. `unitId`: its own, where it is most likely
 * open: it is then signalled without a look at its row.
 */
export type ToldRun = RunSignal<'scenario'> & { id: string; unitId?: string }

/** These runs, each told the same. */
export function telling(name: SignalName<'scenario'>, ids: readonly string[]): ToldRun[] {
  return ids.map((id) => ({ id, name }))
}

/** Wakes runs of scenarios, after the commit that started, ended or changed them, or ended what they wait for. */
export function wakeRuns({ wake }: Pick<Services, 'wake'>, runs: readonly ToldRun[]): void {
  for (const { id, unitId, ...told } of runs) wake('scenario', id, [told], unitId)
}
