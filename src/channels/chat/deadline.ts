/**
 * Aborts a request when it times out or its caller aborts; the signal's reason is a `DeadlineReason`. Call `clear` when
 * the request is done.
 */
type Deadline = { signal: AbortSignal; clear(): void }
type DeadlineReason = 'timeout' | 'aborted'

/**
 * A deadline in `timeoutMs`. `clear` stops its timer: with thousands of requests a second, timers left to fire would
 * pile up.
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
