import { condition } from '@temporalio/workflow'

/**
 * Temporal stores a timer in nanoseconds, which overflow after 292 years. A run that waits longer reads its row once a
 * year.
 */
const longestMs = 365 * 86_400_000

/**
 * Waits until `happened`, at most `ms`; null: without a limit. (The SDK's `condition` takes an undefined timeout for
 * "no limit" and 0 for "at once"; here the type distinguishes them.) `summary` names the timer in the Temporal UI.
 */
export async function waitFor(happened: () => boolean, ms: number | null, summary: string): Promise<void> {
  if (ms === null) await condition(happened)
  else if (ms > 0) await condition(happened, Math.min(ms, longestMs), { summary })
}
