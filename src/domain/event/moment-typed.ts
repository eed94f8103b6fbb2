/** An event of the chat by the provider's clock, and by Postgres' when it was stored. */
type Delivered = { occurredAt: Date; receivedAt: Date }

/** A delivery that is later than this is a repetition by the provider, which could not reach Carillon before (ms). */
const redeliveredAfterMs = 60_000

/** What is older than this when it is delivered begins nothing any more (ms). */
const outdatedAfterMs = 3_600_000

/**
 * When a person typed a text: the moment at which it was stored, which stands in one order with what Carillon sends,
 * unless it was delivered so late that only the provider's clock tells it.
 */
export function momentTyped(event: Delivered): Date {
  return lateness(event) > redeliveredAfterMs ? event.occurredAt : event.receivedAt
}

/** Whether a text was delivered so late that its person no longer waits for what it would begin. */
export function isOutdated(event: Delivered): boolean {
  return lateness(event) > outdatedAfterMs
}

function lateness({ occurredAt, receivedAt }: Delivered): number {
  return receivedAt.getTime() - occurredAt.getTime()
}
