/**
 * An event of a webhook as it is stored. `eventId`: the provider's id. `outcome`: set if the event is done as soon as it is
 * stored.
 */
export type ReceivedEvent = {
  eventId: string
  type: string
  address: string | null
  subjectId: string | null
  occurredAt: string
  payload: unknown
  outcome: 'unreadable' | null
  about?: EventSubject | undefined
}

/** What an event names, by which the unit is found that takes its turn: a trigger, a run or a message. */
export type EventSubject = { trigger: string } | { runId: string } | { messageId: string }
