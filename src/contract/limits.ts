/** Every number the interface promises (interface, Limits) and those design.md adds. Counts unless the name says otherwise. */
export const limits = {
  actionsPerCard: 3,
  cardsPerCarousel: 10,
  actionsPerButtons: 4,
  quickReplyOptions: 13,
  messagesPerIntent: 1_000,
  variablesPerTemplate: 200,
  jsonDepth: 32,
  idempotencyKeyLength: 255,
  subjectsPerEvent: 5_000,
  eventsPerBatch: 100,
  timestampToleranceSeconds: 300,
  replayWindowSeconds: 600,
  lookupTimeoutMs: 5_000,
  pageSize: 50,
  pageSizeMax: 200,
  bodyBytes: 2 * 1024 * 1024,
} as const
