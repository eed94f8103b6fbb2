/**
 * Ends a request when its time is over or its caller gives up; the signal's reason says which. `clear` when it is
 * done.
 */
export type Deadline = { signal: AbortSignal; clear(): void }
export type DeadlineReason = 'timeout' | 'aborted'

/**
 * A deadline in `timeoutMs`. Its timer is cleared rather than left to fire: thousands of requests a second share a
 * process.
 */
export function deadlineIn(timeoutMs: number, caller?: AbortSignal): Deadline {
  const ended = new AbortController()
  const end = (reason: DeadlineReason) => ended.abort(reason)
  const giveUp = () => end('aborted')
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  if (caller?.aborted) giveUp()
  caller?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: ended.signal,
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', giveUp)
    },
  }
}
