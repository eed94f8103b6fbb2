import { type ActivityAttempt, withHeartbeat } from './delivery/context.ts'

/**
 * Does `work` once what this process began earlier under the same name has ended: a process that stood still longer than
 * its heartbeat is given the next attempt beside its own, which would take over a call that is in flight, and leave its
 * recipients unknown. Heartbeats while it waits. The claims of another process are taken over as before.
 */
export type AfterEarlier = <T>(step: ActivityAttempt, name: string, work: () => Promise<T>) => Promise<T>

/** Knows what its process has in progress. Every step that calls a provider has timeouts, so that none waits forever. */
export function createAfterEarlier(): AfterEarlier {
  const inProgress = new Map<string, Promise<unknown>>()

  async function next<T>(step: ActivityAttempt, name: string, work: () => Promise<T>): Promise<T> {
    const earlier = inProgress.get(name)
    if (earlier) await withHeartbeat(step, {}, () => earlier.catch(() => {}))
    return work()
  }

  return async (step, name, work) => {
    const mine = next(step, name, work)
    inProgress.set(name, mine)
    try {
      return await mine
    } finally {
      if (inProgress.get(name) === mine) inProgress.delete(name)
    }
  }
}
