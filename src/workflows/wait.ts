import { condition } from '@temporalio/workflow'

/**
 * Waits until `happened`, at most `ms`; null: for as long as it takes. (The SDK's `condition` means "for ever" by an
 * undefined time, and "at once" by 0; here both are said.) `summary` names the timer in the Temporal UI.
 */
export async function waitFor(happened: () => boolean, ms: number | null, summary: string): Promise<void> {
  if (ms === null) await condition(happened)
  else if (ms > 0) await condition(happened, ms, { summary })
}
