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
  /** Marks of all lightly formatted texts of a template, message or scenario together: each `*`, `_`, `[`, `]`, and beginning of an item. */
  lightMarks: 2_000,
  /**
   * Steps of reading and rendering all texts of a template or message together: about 20 ms of a processor. A step is a
   * part of a text that is rendered, or so many characters that are read or written.
   */
  renderSteps: 5_000,
  charactersPerStep: 250,
  /** Of all texts of a scenario or pattern together, where it is tried out or checked. */
  renderStepsTogether: 50_000,
  /** Of texts that are rendered on the threads that serve and send; others have threads of their own. */
  renderStepsHere: 400,
  renderStepsPerMinuteMax: 100_000_000,
  /** Messages, or steps of runs, of a unit that wait in a process for a thread that renders. */
  rendersInLine: 10,
  /** Blocks, or brackets, of a text inside one another. */
  templateDepth: 100,
  /** The shortest time between two callbacks with the answers to one message. */
  answersEverySeconds: 60,
  /** People that one callback about failed deliveries names, with those of the last batch beyond it. */
  failuresPerCallback: 500,
  categoriesPerKey: 200,
  /** People with a role in a unit: each approver is mailed what waits. */
  membersPerUnit: 200,
  /** Members of a unit who read the answers to one message or pattern. */
  organisers: 20,
  signingKeysPerBinding: 100,
  sourcesPerEventKey: 50,
  nameLength: 200,
  /** Of a unit in the chat, in UTF-16 code units: the provider's limits (message objects, `sender`). */
  senderNameLength: 20,
  iconUrlLength: 2_000,
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
  resolvedSubjects: 1_000,
  /** Pictures: bytes and pixels of what is uploaded, pixels a side of what is kept and of its preview, and days unnamed. */
  mediaBytes: 10 * 1024 * 1024,
  mediaPixels: 50_000_000,
  mediaSide: 4_096,
  mediaPreviewPixels: 1_024,
  mediaDays: 30,
  /** A pace: deliveries a minute at most, and the longest time over which a send is spread. */
  paceMax: 1_000_000,
  paceSeconds: 604_800,
  /** Entries of the trail that the detail of a message shows, the newest. */
  trailPerMessage: 200,
  /** Messages that the quota of a unit names on each channel. */
  quotaHolds: 100,
  /** Bindings, and schedules, that a template names as using it. */
  templateUses: 100,
  /** What is looked for in a list, in UTF-16 units, and the newest messages of a unit whose titles are compared with it. */
  searchLength: 200,
  searchedMessages: 20_000,
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
  /** Of an answer that is read; what of it fits among the variables of the run is kept. */
  lookupAnswerBytes: 1024 * 1024,
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
  /** How long a silent handoff stays open: a day. */
  handoffSilenceSeconds: 86_400,
  /** How long a question, a wait or a handoff may take: a year. */
  scenarioWaitSeconds: 366 * 86_400,
  /** How late a turn may be sent: a week. */
  scenarioLateSeconds: 7 * 86_400,
  subjectsPerStart: 5_000,
  openRunsPerUnit: 100_000,
  /** Of the variables of a run, from its start on, as JSON. */
  runVariablesBytes: 64 * 1024,
  jumpsInARow: 20,
  /** People to whom keys of a unit may say the same words in handoffs within an hour. */
  sameWordsByKeys: 5,
  /** Scenarios that the jumps of one lead to, directly or through others. */
  scenariosLedTo: 100,
  /** Chat pushes that a unit pays for one person in 24 hours, of what that person started; replies are free. */
  startedPushesPerPersonDay: 30,
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
  /** Values of an audience's dimension that are offered at once, and how few people one must have to be offered. */
  audienceChoices: 50,
  valueNamesPerCall: 1_000,
  /** Fields of a message that is being written in a browser, and characters and steps of the name of one. */
  compositionFields: 2_000,
  compositionFieldLength: 1_000,
  compositionFieldDepth: 16,
  fewestOfChoice: 5,
  /** Of the items of a page, as JSON: one that would exceed it ends before, and has one item at least. */
  pageBytes: 1024 * 1024,
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

type BoundOf = { most: number; each: string; what: string; instead: string }

/**
 * How much may be stored of each kind of thing that callers create, and what to do where no more is taken: whatever works
 * on all of a kind is bounded by these (docs/api/limits.md). What is not here goes by itself, after its retention.
 */
export const bounds = {
  media: {
    most: 1_500,
    each: 'A unit',
    what: 'pictures',
    instead: 'Those that no content has named for a month are deleted; use those that are there',
  },
  compositions: {
    most: 200,
    each: 'A unit',
    what: 'messages that are being written',
    instead: 'Submit or discard one of them',
  },
  scenarios: {
    most: 2_000,
    each: 'A unit',
    what: 'scenarios, with those of its patterns and the retired ones',
    instead: 'Change a draft that is no longer used, in place of creating another one',
  },
  scenarioVersions: {
    most: 1_000,
    each: 'A scenario',
    what: 'versions',
    instead: 'Create another scenario with the content, and retire this one',
  },
  templates: {
    most: 2_000,
    each: 'A unit',
    what: 'templates',
    instead: 'Give one that is no longer used a new version, in place of creating another one',
  },
  templateVersions: {
    most: 1_000,
    each: 'A template',
    what: 'versions',
    instead: 'Create another template with the content',
  },
  schedules: {
    most: 1_000,
    each: 'A unit',
    what: 'schedules that are not over',
    instead: 'Delete one first',
  },
  groups: {
    most: 1_000,
    each: 'A unit',
    what: 'groups',
    instead: 'Give one that is no longer used another name and other members',
  },
  topics: { most: 100, each: 'A unit', what: 'topics', instead: 'Rename one that is no longer used' },
  bindings: { most: 1_000, each: 'A unit', what: 'event bindings', instead: 'Delete one first' },
  bindingVersions: {
    most: 1_000,
    each: 'An event binding',
    what: 'versions',
    instead: 'Create another binding in its place, and delete this one',
  },
  eventKeys: {
    most: 1_000,
    each: 'A unit',
    what: 'signing keys of events, with those that are revoked',
    instead: 'Use one that it has: a key may sign events of several sources',
  },
  callbacks: { most: 10, each: 'A unit', what: 'callbacks', instead: 'Delete one first' },
  keys: {
    most: 1_000,
    each: 'A unit',
    what: 'producer keys, with those that are revoked',
    instead: 'Use one that it has: a key may be shared by programs with the same rights',
  },
  categories: {
    most: 1_000,
    each: 'An installation',
    what: 'categories',
    instead: 'Edit one that is disabled, in place of creating another one',
  },
  valueNames: {
    most: 5_000,
    each: 'An installation',
    what: 'names of values of audiences',
    instead: 'Remove those of values that nobody has any more',
  },
  lookupEndpoints: {
    most: 1_000,
    each: 'An installation',
    what: 'Lookup endpoints',
    instead: 'Delete one first',
  },
} as const satisfies Record<string, BoundOf>
export type Bound = keyof typeof bounds
