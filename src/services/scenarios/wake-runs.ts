import type { Services } from '../context.ts'

/** Wakes runs of scenarios, after the commit that started or ended them. */
export function wakeRuns(
  { wake }: Pick<Services, 'wake'>,
  ids: readonly string[],
  reason: 'started' | 'cancelled',
): void {
  for (const id of ids) wake('scenario', id, reason)
}
