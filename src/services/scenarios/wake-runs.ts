import type { Services } from '../context.ts'

/** Tells that runs of scenarios have started or ended, after the commit. The reconciler wakes them. */
export function wakeRuns({ log }: Pick<Services, 'log'>, ids: readonly string[]): void {
  log.debug({ runIds: ids }, 'Runs of scenarios changed')
}
