/**
 * Every number the interface promises (interface, Limits) and those design.md adds. Counts unless the name says
 * otherwise.
 */
export const limits = {
  actionsPerCard: 3,
  cardsPerCarousel: 10,
  actionsPerButtons: 4,
  quickReplyOptions: 13,
  messagesPerIntent: 1_000,
  variablesPerTemplate: 200,
  callbacksPerUnit: 10,
  jsonDepth: 32,
  pathPartLength: 1_000,
  idempotencyKeyLength: 255,
  subjectsPerEvent: 5_000,
  eventsPerBatch: 100,
  timestampToleranceSeconds: 300,
  replayWindowSeconds: 600,
  lookupTimeoutMs: 5_000,
  rateWindowSeconds: 60,
  rateMax: 600,
  pageSize: 50,
  pageSizeMax: 200,
  bodyBytes: 2 * 1024 * 1024,
  importBytes: 64 * 1024 * 1024,
  importLines: 1_000_000,
  membersPerCall: 100_000,
  membersBodyBytes: 16 * 1024 * 1024,
} as const
