import type { SignalName } from '../domain/run/signals.ts'
import type { Services } from './context.ts'

/** Wakes runs of scenarios, after the commit that started, ended or changed them, or ended what they wait for. */
export function wakeRuns(
  { wake }: Pick<Services, 'wake'>,
  ids: readonly string[],
  name: SignalName<'scenario'>,
): void {
  for (const id of ids) wake('scenario', id, [{ name }])
}
