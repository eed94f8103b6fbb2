/**
 * What a fault test repeats, and how often: `small` in `npm test`, `full` in `npm run test:faults`. A time in `holds`
 * is the limit that its test waits a multiple of (test/harness/timeouts.ts); no test asserts it.
 */
export type Fault = {
  fault: string
  holds: string
  small: Record<string, number>
  full: Record<string, number>
}

/** Every fault and race that is tested, in the order of docs/reliability.md, whose table is made from this one. */
export const faults = {
  apiKilled: {
    fault:
      'kill -9 of the API at each seam of create, submit and approve: before the write, before the commit, before the reply, before the poke',
    holds: 'a retry with the same key gives exactly one row; every committed move is acted on within 5 s',
    small: { rounds: 1 },
    full: { rounds: 10 },
  },
  eventKilled: {
    fault:
      'kill -9 of the API at each seam of an event: before it is recorded, between event row and outcome, before the commit, before the reply, before the poke',
    holds: 'exactly one message, whether the event is sent again or not; acted on within 5 s',
    small: { rounds: 1 },
    full: { rounds: 10 },
  },
  workerKilled: {
    fault: 'kill -9 of the worker at random while it sends to 5,000 people, each call taking 200 ms',
    holds: 'nobody lost, nobody told twice; resumed within 10 s of each kill',
    small: { kills: 5 },
    full: { kills: 50 },
  },
  mailWorkerKilled: {
    fault: 'kill -9 of the worker at random while it mails 2,000 people, each mail taking 10 ms',
    holds:
      'nobody lost; told twice only through unknown, under the same Message-ID, at most kills × lanes × 64; resumed within 10 s of each kill',
    small: { kills: 3 },
    full: { kills: 50 },
  },
  reminderKilled: {
    fault:
      'kill -9 of the worker while it reminds 2,000 people by chat and 600 by mail, some of whom asked not to be',
    holds:
      'nobody lost; nobody reminded who asked not to be; told twice only by mail and only through unknown',
    small: { kills: 1 },
    full: { kills: 10 },
  },
  mailHalfOpen: {
    fault: 'half-open connections to the mail server',
    holds: 'time-outs hold, chat goes on meanwhile; nobody told twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  mailCut: {
    fault: 'the connection to the mail server is cut after RCPT, inside DATA and after the final dot',
    holds:
      'the first two: nobody lost, nobody told twice; the third: unknown, kept so or sent once more as the category wants',
    small: { 'cuts each': 10 },
    full: { 'cuts each': 50 },
  },
  mailSilent: {
    fault: 'the mail server falls silent in mid-session',
    holds: 'the session ends by its time-out, chat goes on meanwhile; at most one mail a lane is unknown',
    small: { rounds: 1 },
    full: { rounds: 4 },
  },
  mailTwoAttempts: {
    fault:
      'the worker stopped by SIGSTOP while it mails, longer than its lease, while another goes on; then continued',
    holds: 'nobody lost; told twice only through unknown',
    small: { 'seconds stopped': 22 },
    full: { 'seconds stopped': 30 },
  },
  mailPostgresKilled: {
    fault: 'kill -9 of Postgres while mail goes out, started again after 3 s',
    holds: 'nobody lost; told twice only through unknown; ledger exact',
    small: { kills: 1 },
    full: { kills: 5 },
  },
  postgresKilled: {
    fault: 'kill -9 of Postgres under load, started again after 3 s',
    holds: '503 with Retry-After, never 500; ready again within 5 s; ledger exact',
    small: { kills: 1 },
    full: { kills: 5 },
  },
  postgresHalfOpen: {
    fault: 'half-open connections from the worker to Postgres in mid-wave',
    holds: 'given up within 16 s, the wave goes on; nobody told twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  temporalGone: {
    fault:
      'Temporal gone, at 10 creates a second, each followed by a submit and an approve, reject or cancel',
    holds: 'no error; the backlog is acted on within 30 s of its return',
    small: { seconds: 10 },
    full: { seconds: 60 },
  },
  storeWiped: {
    fault: "Temporal's store lost, with messages in mixed states; once with `carillon repoke`, once without",
    holds:
      'all reach their right end, nobody told twice; looked at within 10 s of the repoke, else by the poker',
    small: { messages: 20 },
    full: { messages: 200 },
  },
  operator: {
    fault: 'an operator terminates, resets and cancels runs in the Temporal UI, waiting and sending ones',
    holds:
      'terminated and reset runs come back, effects once; a cancel is a cancel of the message, or a pause',
    small: { 'runs each': 3 },
    full: { 'runs each': 20 },
  },
  twoAttempts: {
    fault:
      'the worker stopped by SIGSTOP in mid-wave, longer than its lease, while another goes on; then continued',
    holds: 'nobody told twice',
    small: { 'seconds stopped': 22 },
    full: { 'seconds stopped': 30 },
  },
  clocks: {
    fault: 'worker and database clocks 5 s apart, either way',
    holds: 'never before the send time, never after the expiry',
    small: { messages: 2 },
    full: { messages: 10 },
  },
  refused: {
    fault: 'the provider answers 429, 500 and 503, with and without Retry-After',
    holds: 'no call before Retry-After is over; success after it; nothing dropped',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  cutOff: {
    fault: 'the provider accepts, and the connection is cut before the reply',
    holds: 'the retry is answered 409 and counts as sent; each stands once in the journal',
    small: { cuts: 10 },
    full: { cuts: 100 },
  },
  halfOpen: {
    fault: 'half-open connections to the chat provider',
    holds: 'time-outs hold, slots come free, heartbeats go on; nobody told twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  badAddress: {
    fault: 'one bad address in 500, named by the provider and not named',
    holds: 'only that one fails',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  workerEnds: {
    fault: 'SIGTERM of the worker in mid-wave',
    holds: 'the batches in flight finish and no call is repeated; the next worker goes on',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  fairness: {
    fault: "another unit's big sends fill every slot of the worker, each call taking 500 ms",
    holds: 'a small send begins before any of the big ones ends',
    small: { sends: 3 },
    full: { sends: 20 },
  },
  everythingDown: {
    fault: 'everything is down when a message is due: API, worker, Temporal and Postgres',
    holds: 'late but before its expiry: sent; past it: expired, never sent',
    small: { messages: 4 },
    full: { messages: 20 },
  },
  sameKey: {
    fault: '100 creates with one key at once, at two API processes',
    holds: 'one 201, 99 times 200, one id, one row',
    small: { rounds: 3 },
    full: { rounds: 20 },
  },
  sameEvent: {
    fault:
      '100 times the same event at once, at two API processes; and again after an answer of no_binding, newly signed and not',
    holds: 'one accepted, the others duplicates with the identical answer; exactly one message',
    small: { rounds: 3 },
    full: { rounds: 20 },
  },
  interleavings: {
    fault: 'submit, approve and cancel of one message, in random order, at two API processes',
    holds: 'a legal end, and a ledger that is exact',
    small: { messages: 50 },
    full: { messages: 500 },
  },
  cancelAtSendTime: {
    fault: 'approve, send and cancel at the send time: within 5 ms of it, or seconds after',
    holds: 'nobody is told after a cancel was answered',
    small: { messages: 20 },
    full: { messages: 200 },
  },
  lastQuota: {
    fault: 'reservations of 1 at once, against half as many',
    holds: 'exactly half of them',
    small: { approvals: 60 },
    full: { approvals: 200 },
  },
  stories: {
    fault:
      'random calls of several callers on one message, two of them at once now and then, moments that come, steps of the run, a provider that refuses',
    holds: 'every answer, state and count is that of the pure rules',
    small: { stories: 25 },
    full: { stories: 1_000 },
  },
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof faults
