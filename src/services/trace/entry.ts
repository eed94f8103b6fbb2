/** One thing that happened, in plain words; without a moment where it is about now. */
export type TraceEntry = { at: Date | null; text: string }

const words: Record<string, string> = {
  noConsent: 'they had not given the consent that the category needs, or had withdrawn it',
  noAddress: 'they had no address there',
  preferenceOff: 'they had switched the category or the topic off',
  blocked: 'they had blocked the account, or their address bounced',
  doNotRemind: 'they had asked not to be reminded',
  frequency: 'they had got, or were about to get, as many messages of the category as its cap allows',
  cancelled: 'the message was cancelled',
  stopped: 'the send was stopped',
  expired: 'the message had expired',
  parked: 'an operator gave up who was left of a send that stood still',
  fallback: 'the channel refused them, and they were told on the next one',
}

/** Why somebody was not told. */
export function explainSkip(reason: string | null): string {
  return words[reason ?? ''] ?? `the reason is ${reason ?? 'not known'}`
}
