import { condition } from '@temporalio/workflow'

/**
 * The server counts a timer in nanoseconds and overflows after 292 years; who waits for longer looks again once a
 * year.
 */
const longestMs = 365 * 86_400_000

/**
 * Waits until `happened`, at most `ms`; null: for as long as it takes. (The SDK's `condition` means "for ever" by an
 * undefined time, and "at once" by 0; here both are said.) `summary` names the timer in the Temporal UI.
 */
export async function waitFor(happened: () => boolean, ms: number | null, summary: string): Promise<void> {
  if (ms === null) await condition(happened)
  else if (ms > 0) await condition(happened, Math.min(ms, longestMs), { summary })
}
