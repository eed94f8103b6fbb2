/**
 * A fault, what holds under it, and how often its test repeats it: `small` in `npm run test:all`, `full` in `npm run
 * test:faults`. A time in `holds` is a limit; its test waits a multiple of it (test/harness/timeouts.ts) and does not
 * assert it.
 */
export type Fault = {
  fault: string
  holds: string
  small: Record<string, number>
  full: Record<string, number>
}

/** Every tested fault and race, in the order of docs/reliability.md, whose table is generated from this one. */
export const faults = {
  apiKilled: {
    fault:
      'kill -9 of the API at each step of create, submit and approve: before the write, before the commit, before the reply, before the wake',
    holds: 'a retry with the same key creates exactly one row; every committed move is acted on within 5 s',
    small: { rounds: 1 },
    full: { rounds: 10 },
  },
  eventKilled: {
    fault:
      'kill -9 of the API at each step of an event: before it is recorded, between event row and outcome, before the commit, before the reply, before the wake',
    holds: 'exactly one message, whether the event is sent again or not; acted on within 5 s',
    small: { rounds: 1 },
    full: { rounds: 10 },
  },
  workerKilled: {
    fault: 'kill -9 of the worker at random while it sends to 5,000 people, each call taking 200 ms',
    holds: 'no recipient lost, no message sent twice; resumed within 10 s of each kill',
    small: { kills: 5 },
    full: { kills: 50 },
  },
  waveSeamsKilled: {
    fault:
      'kill -9 of the worker between the steps of a wave for 1,200 people: before its deliveries are written, and before quota is reserved for them',
    holds:
      'the next worker goes on from the rows: no recipient lost, no message sent twice, quota reserved for exactly those who are sent to',
    small: { rounds: 1 },
    full: { rounds: 10 },
  },
  smallSendsKilled: {
    fault:
      'kill -9 of the worker at random while it sends messages to one person each, within local activities, each call taking 200 ms',
    holds: 'no recipient lost, no message sent twice; resumed within 10 s of each kill',
    small: { messages: 20, kills: 2 },
    full: { messages: 300, kills: 50 },
  },
  mailWorkerKilled: {
    fault: 'kill -9 of the worker at random while it mails 2,000 people, each mail taking 10 ms',
    holds:
      'no recipient lost; sent twice only through unknown, under the same Message-ID, at most kills × lanes × 64; resumed within 10 s of each kill',
    small: { kills: 3 },
    full: { kills: 50 },
  },
  reminderKilled: {
    fault:
      'kill -9 of the worker while it reminds 2,000 people by chat and 600 by mail, some of whom have opted out',
    holds:
      'no recipient lost; none reminded after opting out; sent twice only by mail and only through unknown',
    small: { kills: 1 },
    full: { kills: 10 },
  },
  mailHalfOpen: {
    fault: 'half-open connections to the mail server',
    holds: 'timeouts hold, chat continues meanwhile; no message sent twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  mailCut: {
    fault: 'the connection to the mail server is cut after RCPT, inside DATA and after the final dot',
    holds:
      'the first two: no recipient lost, no mail sent twice; the third: unknown, kept or repeated once as the category asks',
    small: { 'cuts each': 10 },
    full: { 'cuts each': 50 },
  },
  mailSilent: {
    fault: 'the mail server stops responding mid-session',
    holds:
      'the session ends by its timeout, chat continues meanwhile; at most one mail per session is unknown',
    small: { rounds: 1 },
    full: { rounds: 4 },
  },
  mailDirectory: {
    fault:
      'the mail server rejects every recipient with `550 5.1.1` while two workers mail two sends, and is then fixed; or the addresses really no longer exist',
    holds:
      'no recipient is suppressed or lost: the sends park, and continue within a minute of the first accepted mail; if the addresses really do not exist, the sends end once an operator confirms it, each address with its reason',
    small: { rounds: 1, people: 134 },
    full: { rounds: 3, people: 2_000 },
  },
  mailTwoAttempts: {
    fault:
      'the worker suspended by SIGSTOP while it mails, longer than its lease, while another continues; then resumed',
    holds: 'no recipient lost; sent twice only through unknown',
    small: { 'seconds stopped': 22 },
    full: { 'seconds stopped': 30 },
  },
  mailStalled: {
    fault:
      'the only worker suspended while it mails, longer than its heartbeat and shorter than its lease; then resumed',
    holds: 'its next attempt waits for this one: no recipient lost, unknown or sent twice',
    small: { rounds: 1, people: 300 },
    full: { rounds: 10, people: 2_000 },
  },
  mailPostgresKilled: {
    fault: 'kill -9 of Postgres while mail is being sent, restarted after 3 s',
    holds: 'no recipient lost; sent twice only through unknown; ledger exact',
    small: { kills: 1 },
    full: { kills: 5 },
  },
  postgresKilled: {
    fault: 'kill -9 of Postgres under load, restarted after 3 s',
    holds: '503 with Retry-After, never 500; ready again within 5 s; ledger exact',
    small: { kills: 1 },
    full: { kills: 5 },
  },
  postgresFailover: {
    fault:
      'kill -9 of the primary Postgres under load while it sends to 6,000 people; traffic is led to its standby, which is then promoted',
    holds:
      'a standby is not ready, and answers writes 503; a promoted synchronous one has every stored call: no recipient lost, no message sent twice, ledger exact, ready again within 5 s. An asynchronous one lacks what it had not received: that is lost, or sent again',
    small: { failovers: 1 },
    full: { failovers: 5 },
  },
  postgresHalfOpen: {
    fault: 'half-open connections from the worker to Postgres mid-wave',
    holds: 'aborted within 16 s, the wave continues; no message sent twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  temporalGone: {
    fault:
      'Temporal is down while 10 messages a second are created and submitted, then approved, rejected or cancelled',
    holds: 'no error; the backlog is acted on within 30 s of the return of Temporal',
    small: { seconds: 10 },
    full: { seconds: 60 },
  },
  storeWiped: {
    fault:
      "Temporal's store lost, with messages in mixed states; once with `carillon reconcile`, once without",
    holds:
      'every message ends in the correct state, none is sent twice; runs observe their rows within 10 s of the command, otherwise through the reconciler',
    small: { messages: 20 },
    full: { messages: 200 },
  },
  restored: {
    fault:
      'Postgres lost in mid-wave, and restored elsewhere from a base backup and its archived log; the store of Temporal lost too',
    holds:
      'following docs/operating.md, every message is sent, none twice, those in mid-wave included; nothing of before or after the backup is missing',
    small: { messages: 3 },
    full: { messages: 50 },
  },
  operator: {
    fault: 'an operator terminates, resets and cancels waiting and sending runs in the Temporal UI',
    holds:
      'terminated and reset runs are restarted, with every effect once; a cancel cancels the message, or pauses it',
    small: { 'runs each': 3 },
    full: { 'runs each': 20 },
  },
  changedRelease: {
    fault:
      'an upgrade to workers that cannot replay the runs of the old ones: in mid-wave, waiting for their send time or an approval',
    holds:
      'wedged runs are reported; after the limits each is restarted from its row, unless that is turned off; no recipient lost, no message sent twice',
    small: { 'runs each': 1 },
    full: { 'runs each': 10 },
  },
  twoAttempts: {
    fault:
      'the worker suspended by SIGSTOP mid-wave, longer than its lease, while another continues; then resumed',
    holds: 'no message sent twice',
    small: { 'seconds stopped': 22 },
    full: { 'seconds stopped': 30 },
  },
  clocks: {
    fault: 'the worker clock 5 s ahead of the database clock, and 5 s behind it',
    holds: 'never before the send time, never after the expiry',
    small: { messages: 2 },
    full: { messages: 10 },
  },
  refused: {
    fault: 'the provider answers 429, 500 and 503, with and without Retry-After',
    holds: 'no call before Retry-After has passed; success after it; nothing dropped',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  cutOff: {
    fault: 'the provider accepts, and the connection is cut before the reply',
    holds: 'the retry is answered 409 and counts as sent; each is in the journal once',
    small: { cuts: 10 },
    full: { cuts: 100 },
  },
  halfOpen: {
    fault: 'half-open connections to the chat provider',
    holds: 'timeouts hold, slots are released, heartbeats continue; no message sent twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  allRejected: {
    fault: 'the chat provider answers 400 for every call of a send',
    holds:
      'the send fails with its reasons; within a minute health counts it with their codes, its approver has a mail to get, and nothing else is held up',
    small: { people: 24 },
    full: { people: 271 },
  },
  chatAnswers: {
    fault:
      'every class of answer of the chat provider, and every fault of an address, for one recipient: first, in the middle or last in a message to 6 and in one to 510',
    holds:
      'only that recipient fails, with its reason: all others are sent to once and in time; a failure that passes leaves nothing parked',
    small: { 'positions each': 1 },
    full: { 'positions each': 3 },
  },
  mailAnswers: {
    fault:
      'every class of reply of a mail server in each phase of a mail, and every fault of an address, for one recipient: first, in the middle or last in a message to 6 and in one to 70',
    holds:
      'only that recipient fails, with its reason: all others are sent to once and in time; a failure that passes leaves nothing parked',
    small: { 'positions each': 1 },
    full: { 'positions each': 3 },
  },
  badAddress: {
    fault: 'one bad address among 500, named by the provider or not',
    holds: 'only that recipient fails',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  workerEnds: {
    fault: 'SIGTERM of the worker mid-wave',
    holds: 'the batches in flight finish and no call is repeated; the next worker continues',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  fairness: {
    fault: "another unit's big sends fill every slot of the worker, each call taking 500 ms",
    holds: 'a small send starts before any of the big ones ends',
    small: { sends: 3 },
    full: { sends: 20 },
  },
  everythingDown: {
    fault: 'everything is down when a message is due: API, worker, Temporal and Postgres',
    holds: 'if it is late but not expired: sent; past its expiry: expired, never sent',
    small: { messages: 4 },
    full: { messages: 20 },
  },
  hostile: {
    fault:
      'a hostile caller over 20 connections, with credentials of every kind and with none: every operation at each limit of its body, path, query and headers; costly templates and audiences, long lists and files; slow, cut, idle and pipelined connections',
    holds:
      'a well-behaved caller among 10,000 subjects is never refused (aims: p99 under 250 ms, API under 512 MiB); no 5xx but an honest 503',
    small: { rounds: 1, 'edges each': 2, 'KiB a body': 200 },
    full: { rounds: 3, 'edges each': 1_000, 'KiB a body': 2_048 },
  },
  fuzzer: {
    fault:
      'an outside fuzzer (schemathesis) that makes requests of the served description: valid ones, invalid ones and sequences, with keys, with sessions and without a credential',
    holds:
      'no 5xx; every status, header, content type and body as described; invalid requests and ignored credentials are refused, deleted things are gone',
    small: { 'examples each': 0 },
    full: { 'examples each': 15 },
  },
  signingKeys: {
    fault:
      "a producer's signing key is changed while it sends events: API processes with the old key, with both, and with the new one",
    holds:
      'each process takes the events of its keys and no others; an event is one message, sent once, also if it comes again under the other key',
    small: { 'events each': 2 },
    full: { 'events each': 50 },
  },
  scenarioWorkerKilled: {
    fault:
      'kill -9 of the worker at random while runs of a scenario walk by a Lookup and a question, each call taking 100 ms, and people tap with stale reply tokens',
    holds: 'every run ends where its answer leads; no turn is sent twice, no Lookup is made twice',
    small: { runs: 30, kills: 3 },
    full: { runs: 500, kills: 50 },
  },
  scenarioDeadlines: {
    fault:
      'the worker is dead while questions time out; half of the people tapped before, twice and out of order',
    holds: 'runs answered in time continue by the answer, all others by the time-out',
    small: { runs: 20 },
    full: { runs: 500 },
  },
  scenarioStoreWiped: {
    fault:
      "Temporal's store lost, with runs of a scenario at Lookups, questions, timers and places; once with `carillon reconcile`, once without",
    holds: 'every run continues; no turn is sent twice, no Lookup is made twice',
    small: { runs: 10 },
    full: { runs: 200 },
  },
  scenarioAnswers: {
    fault: 'an answer and its time-out at the same moment',
    holds: 'one of them wins: the answer counts, or its sender is told that it came too late',
    small: { answers: 50 },
    full: { answers: 500 },
  },
  scenarioProviderDown: {
    fault: 'the chat provider goes down in mid-conversation, with turns in flight, and comes back',
    holds: 'the turns wait for it, and the runs continue; no turn is sent twice, no push is charged twice',
    small: { runs: 20 },
    full: { runs: 500 },
  },
  scenarioReplies: {
    fault: 'the connection is cut before the answer to a free reply, which was accepted or not',
    holds:
      'tried once more with its token: sent, if that is accepted, otherwise unknown; never pushed as well, and nothing paid',
    small: { replies: 20 },
    full: { replies: 200 },
  },
  scenarioLookups: {
    fault:
      'the producer answers Lookups slowly, drips, cuts the connection, redirects, answers too much, no JSON, compressed, or an error',
    holds:
      'each such run leaves by its error edge, with what went wrong; no Lookup is made twice, and those of other producers are not held up',
    small: { 'Lookups each': 2 },
    full: { 'Lookups each': 20 },
  },
  scenarioActivated: {
    fault: 'another version of a scenario is put in force while its runs walk',
    holds: 'every run stays on the version it began with; later ones follow the new one',
    small: { runs: 20 },
    full: { runs: 300 },
  },
  scenarioRetired: {
    fault: 'a scenario is retired while its runs walk, and people go on tapping',
    holds: 'every run ends with the farewell, sent once; no other turn is sent',
    small: { runs: 20 },
    full: { runs: 300 },
  },
  scenarioBlocked: {
    fault: 'people block the account while a turn is being sent; reports about others arrive out of order',
    holds:
      'turns in flight are settled, no further turn is sent to people who blocked; the other runs continue',
    small: { runs: 10 },
    full: { runs: 200 },
  },
  scenarioWebhooks: {
    fault: 'taps doubled, out of order, too early and too late, at every question of a run',
    holds: 'each question takes its first answer; every run ends where they lead, and no turn is sent twice',
    small: { runs: 10 },
    full: { runs: 200 },
  },
  scenarioCrowd: {
    fault: 'all people who were asked answer within a short time',
    holds: 'each answer is taken, and answered for free',
    small: { people: 50, seconds: 3 },
    full: { people: 1_000, seconds: 60 },
  },
  handoffWorkerKilled: {
    fault:
      'kill -9 of the worker at random while runs and the assistant hand over, people write, their unit replies twice and closes, each call taking 100 ms',
    holds:
      'every member of the unit is mailed, each text is stored once, each reply is sent once or recorded as unknown, and every waiting run continues',
    small: { handoffs: 12, kills: 3 },
    full: { handoffs: 300, kills: 50 },
  },
  scheduleWorkerKilled: {
    fault: 'kill -9 of the worker at random while schedules are due, all at the same moment',
    holds: 'each occurrence makes exactly one message, and each schedule goes on to its next',
    small: { schedules: 20, kills: 3 },
    full: { schedules: 200, kills: 50 },
  },
  scheduleMissed: {
    fault:
      'everything is down while schedules are due: API, worker, Temporal and Postgres; for ten minutes, an hour, a day and two',
    holds:
      'less than an hour late: made; later: recorded as missed, each time; nothing twice, and all go on to their next',
    small: { 'schedules each': 2 },
    full: { 'schedules each': 50 },
  },
  patternPlaces: {
    fault:
      'people ask for the places of a registration while others withdraw, leave, are erased, and the deadline comes',
    holds:
      'never more people than places; the waiting list is promoted in order, and every person on it has an open run',
    small: { people: 60, places: 8 },
    full: { people: 1_000, places: 100 },
  },
  sameKey: {
    fault: '100 concurrent creates with one key, at two API processes',
    holds: 'one 201, 99 times 200, one id, one row',
    small: { rounds: 3 },
    full: { rounds: 20 },
  },
  sameEvent: {
    fault:
      'the same event 100 times concurrently, at two API processes; and again after a no_binding answer, with and without a new signature',
    holds: 'one is accepted, the others are duplicates with the identical response; exactly one message',
    small: { rounds: 3 },
    full: { rounds: 20 },
  },
  interleavings: {
    fault: 'submit, approve and cancel of one message, in random order, at two API processes',
    holds: 'a legal final state and an exact ledger',
    small: { messages: 50 },
    full: { messages: 500 },
  },
  cancelAtSendTime: {
    fault: 'approve, send and cancel at the send time: within 5 ms of it, or seconds after',
    holds: 'no call is made after the response to the cancel',
    small: { messages: 20 },
    full: { messages: 200 },
  },
  lastQuota: {
    fault: 'concurrent reservations of one push each, with quota for half of them',
    holds: 'exactly half of them are granted',
    small: { approvals: 60 },
    full: { approvals: 200 },
  },
  stories: {
    fault:
      'random requests of several callers on one message, sometimes two at once, among due times, steps of the run and rejections by the provider',
    holds: 'every response, state and count is the one that the rules of src/domain give',
    small: { stories: 25 },
    full: { stories: 1_000 },
  },
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof faults
