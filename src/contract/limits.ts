/** The limits of the API. Counts, unless the name has a unit. */
export const limits = {
  actionsPerCard: 3,
  cardsPerCarousel: 10,
  actionsPerButtons: 4,
  quickReplyOptions: 13,
  messagesPerIntent: 1_000,
  smallestAudience: 5,
  variablesPerTemplate: 200,
  /** Characters of all texts of a template or message together, in all languages; also after rendering. */
  textLength: 100_000,
  callbacksPerUnit: 10,
  /** The shortest time between two callbacks with the answers to one message. */
  answersEverySeconds: 60,
  categoriesPerKey: 200,
  /** People with a role in a unit: each approver is mailed what waits. */
  membersPerUnit: 200,
  signingKeysPerBinding: 100,
  nameLength: 200,
  /** Of a unit in the chat, in UTF-16 code units: the provider's limits (message objects, `sender`). */
  senderNameLength: 20,
  iconUrlLength: 2_000,
  topicsPerUnit: 100,
  topicNameLength: 60,
  /** Entries of one change of a recipient's preferences. */
  preferenceCategories: 1_000,
  preferenceTopics: 5_000,
  /** Attributes of a subject's profile in one update. */
  profileAttributes: 200,
  /** Values of one list of an audience; groups cost more than others. */
  audienceValues: 1_000,
  audienceGroups: 50,
  individualUids: 5_000,
  /** Entries of the trail that the detail of a message shows, the newest. */
  trailPerMessage: 200,
  /** Counts of people at a time, for each unit and process, and how long another one waits. */
  countsPerUnit: 2,
  countWaitMs: 2_000,
  /** The longest that a category holds a message after a person has approved it. */
  holdSeconds: 600,
  jsonDepth: 32,
  pathPartLength: 1_000,
  idempotencyKeyLength: 255,
  referenceLength: 255,
  subjectsPerEvent: 5_000,
  /** Of all events of a batch together, repetitions included. */
  subjectsPerBatch: 50_000,
  eventsPerBatch: 100,
  timestampToleranceSeconds: 300,
  replayWindowSeconds: 600,
  /** From the last byte of a Lookup's request to the last byte of its answer. */
  lookupTimeoutMs: 5_000,
  /** For resolving the name and connecting, before that. */
  lookupConnectMs: 1_000,
  lookupAnswerBytes: 64 * 1024,
  /** To one origin, from all workers together. */
  lookupsAtOnce: 20,
  lookupsPerSecond: 50,
  nodesPerScenario: 200,
  edgesPerScenario: 400,
  patternTitleLength: 100,
  patternTextLength: 1_000,
  /** What a button of the chat carries. */
  patternLabelLength: 40,
  patternQuestions: 20,
  /** With the one that skips a question, as many as a message has. */
  patternOptions: 12,
  patternCapacity: 100_000,
  /** Chat messages that are sent together; also of one node. */
  messagesPerTurn: 5,
  keywordsPerScenario: 20,
  /** Characters of what a person said, as the assistant reports it: as many as the chat takes. */
  handoffTextLength: 5_000,
  /** What was said in a handoff that its detail shows, the newest. */
  messagesPerHandoff: 500,
  /** Characters of these together; the newest is shown however long it is. */
  handoffCharacters: 100_000,
  /** How long a handoff stays open while nobody says anything: a day. */
  handoffSilenceSeconds: 86_400,
  /** How long a question, a wait or a handoff may take: a year. */
  scenarioWaitSeconds: 366 * 86_400,
  /** How late a turn may be told: a week. */
  scenarioLateSeconds: 7 * 86_400,
  subjectsPerStart: 5_000,
  openRunsPerUnit: 100_000,
  /** Of the variables of a run, from its start on, as JSON. */
  runVariablesBytes: 64 * 1024,
  jumpsInARow: 20,
  schedulesPerUnit: 1_000,
  cronLength: 200,
  /** How long a schedule waits, and how long after it is due its message is reminded of or expires: a year. */
  scheduleSeconds: 366 * 86_400,
  shortestReminderSeconds: 60,
  /** Days of the numbers of a unit. */
  metricsDays: 366,
  metricsDaysDefault: 30,
  /** Messages with a reminder, and patterns, that the numbers list, and characters of a tag or ref in them. */
  metricsReminders: 100,
  metricsPatterns: 100,
  metricsKeyLength: 64,
  rateWindowSeconds: 60,
  rateMax: 600,
  ratePerSecondMax: 10_000,
  pageSize: 50,
  pageSizeMax: 200,
  bodyBytes: 2 * 1024 * 1024,
  /** List entries and fields of a JSON body, at any depth; operations with lists of people have more. */
  jsonValues: 20_000,
  jsonValuesOfLists: 250_000,
  /** Of an uploaded file: an import, or a list as NDJSON. */
  uploadBytes: 64 * 1024 * 1024,
  /** Files of a unit that a process reads at a time. */
  uploadsPerUnit: 2,
  importLines: 1_000_000,
  /** Of a line of NDJSON, or a record of CSV. */
  lineBytes: 64 * 1024,
  membersPerCall: 100_000,
  membersPerUpload: 500_000,
  uidLength: 200,
  /** How long the links of a mail to answers and settings work; those to unsubscribe work for ever. */
  linkDays: 365,
} as const
